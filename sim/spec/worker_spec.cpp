// Runs specifications from headers: the server in the worker process, and the specification that
// asks it.
#include "sim/spec/worker_spec.hpp"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <dlfcn.h>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/subject/registration.hpp"
#include "sim/worker/bytes.hpp"

namespace simt {
namespace {

enum class spec_request : std::uint8_t { load, make, set, initial, apply, part, role };

// --- in the worker ---

std::vector<spec::maker>* being_loaded = nullptr;

std::vector<spec::maker> load_makers(const std::string& object) {
  std::vector<spec::maker> makers;
  being_loaded = &makers;
  // The header of a specification may have a subject as well. Its registrations are dropped.
  detail::registration ignored;
  const detail::registration_scope scope(ignored);
  void* const handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  being_loaded = nullptr;
  if (handle == nullptr) throw std::runtime_error(dlerror());
  return makers;
}

void put_operation(byte_writer& out, const spec::operation& o) {
  out.put_text(o.name);
  out.put_text(o.none);
  out.put(o.returns);
  out.put(o.steps);
  out.put(std::uint64_t{o.arguments.size()});
  for (const spec::argument& a : o.arguments) {
    out.put_text(a.name);
    out.put(a.what);
    out.put(std::uint64_t{a.examples.size()});
    for (const spec::value v : a.examples) out.put(v);
  }
  out.put(std::uint64_t{o.aliases.size()});
  for (const char* const alias : o.aliases) out.put_text(alias);
}

void put_parameters(byte_writer& out, const spec::specification& from) {
  const std::vector<spec::parameter> all = from.parameters();
  out.put(std::uint64_t{all.size()});
  for (const spec::parameter& p : all) {
    out.put_text(p.name);
    out.put(p.least);
    out.put(p.preset);
  }
}

void put_state(byte_writer& out, const spec::state& state) {
  out.put(std::uint64_t{state.size()});
  for (const spec::value v : state) out.put(v);
}

spec::state get_state(byte_reader& in) {
  spec::state state;
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    state.push_back(in.get<spec::value>());
  }
  return state;
}

class spec_server {
 public:
  std::string serve(std::string_view request) {
    byte_reader in(request);
    byte_writer out;
    const auto what = in.get<spec_request>();
    switch (what) {
      case spec_request::load: load(std::string(in.get_text()), out); break;
      case spec_request::make: make(in.get_text(), out); break;
      case spec_request::set: {
        const auto name = in.get_text();
        out.put(it_->set(name, in.get<spec::value>()));
        put_parameters(out, *it_);
        break;
      }
      case spec_request::initial: put_state(out, it_->initial()); break;
      case spec_request::apply: {
        const auto call = in.get<spec::call>();
        spec::outcomes found;
        it_->apply(get_state(in), call, found);
        out.put(std::uint64_t{found.all().size()});
        for (const auto& o : found.all()) {
          out.put(o.returned);
          put_state(out, o.after);
        }
        break;
      }
      case spec_request::part: {
        const auto part = it_->part(in.get<spec::call>());
        out.put(part.has_value());
        if (part) out.put(*part);
        break;
      }
      case spec_request::role: {
        const auto call = in.get<spec::call>();
        const spec::role role = it_->role_of(call, in.get<spec::result>());
        out.put(role.observer);
        out.put(role.group.has_value());
        if (role.group) out.put(*role.group);
        break;
      }
    }
    return out.take();
  }

 private:
  std::vector<spec::maker> makers_;
  std::unique_ptr<spec::specification> it_;

  void load(const std::string& object, byte_writer& out) {
    makers_ = load_makers(object);
    host_worker::confine_to(may::compute);
    out.put(std::uint64_t{makers_.size()});
    for (const spec::maker make : makers_) out.put_text(make()->name());
  }

  void make(std::string_view name, byte_writer& out) {
    for (const spec::maker make : makers_) {
      it_ = make();
      if (it_->name() == name) break;
    }
    out.put(std::uint64_t{it_->operations().size()});
    for (const spec::operation& o : it_->operations()) put_operation(out, o);
    put_parameters(out, *it_);
    out.put(it_->known_as());
    out.put(it_->uses_clients());
  }
};

// --- in the process that asks ---

class worker_spec final : public spec::specification {
 public:
  worker_spec(std::unique_ptr<host_worker> worker, std::string name, const std::string& source,
              patience waiting)
      : worker_(std::move(worker)),
        waiting_(std::move(waiting)),
        name_(std::move(name)),
        who_(fmt::format("{}: specification \"{}\"", source, name_)) {
    byte_writer request;
    request.put(spec_request::make);
    request.put_text(name_);
    const std::string answer = worker_->ask(who_, request.take(), waiting_);
    byte_reader in(answer);
    for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
      operations_.push_back(get_operation(in));
      refuse_misfit(operations_.back());
    }
    take_parameters(in);
    known_as_ = in.get<spec::family>();
    uses_clients_ = in.get<bool>();
  }

  [[nodiscard]] const char* name() const override { return name_.c_str(); }
  [[nodiscard]] const std::vector<spec::operation>& operations() const override {
    return operations_;
  }
  [[nodiscard]] std::vector<spec::parameter> parameters() const override { return parameters_; }
  [[nodiscard]] spec::family known_as() const override { return known_as_; }
  [[nodiscard]] bool uses_clients() const override { return uses_clients_; }

  bool set(std::string_view parameter, spec::value to) override {
    byte_writer request;
    request.put(spec_request::set);
    request.put_text(parameter);
    request.put(to);
    const std::lock_guard lock(asking_);
    known_.clear();
    const std::string answer = worker_->ask(who_, request.take(), waiting_);
    byte_reader in(answer);
    const bool done = in.get<bool>();
    take_parameters(in);
    return done;
  }

  [[nodiscard]] spec::state initial() const override {
    byte_writer request;
    request.put(spec_request::initial);
    return asked(request, [](byte_reader& in) { return get_state(in); });
  }

  void apply(const spec::state& before, const spec::call& what,
             spec::outcomes& out) const override {
    byte_writer request;
    request.put(spec_request::apply);
    request.put(what);
    put_state(request, before);
    asked(request, [&](byte_reader& in) {
      for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
        const auto returned = in.get<spec::result>();
        out.add(returned, get_state(in));
      }
    });
  }

  [[nodiscard]] std::optional<spec::value> part(const spec::call& what) const override {
    byte_writer request;
    request.put(spec_request::part);
    request.put(what);
    return asked(request, get_number);
  }

  [[nodiscard]] spec::role role_of(const spec::call& what,
                                   const spec::result& returned) const override {
    byte_writer request;
    request.put(spec_request::role);
    request.put(what);
    request.put(returned);
    return asked(request, [](byte_reader& in) {
      spec::role role;
      role.observer = in.get<bool>();
      role.group = get_number(in);
      return role;
    });
  }

 private:
  std::unique_ptr<host_worker> worker_;
  patience waiting_;
  std::string name_;
  std::string who_;
  std::deque<std::string> texts_;  // that operations and parameters point to
  std::vector<spec::operation> operations_;
  std::vector<spec::parameter> parameters_;
  spec::family known_as_{};
  bool uses_clients_ = false;
  mutable std::mutex asking_;
  mutable boost::unordered_flat_map<std::string, std::string> known_;
  mutable std::size_t known_bytes_ = 0;

  const char* keep(std::string_view text) { return texts_.emplace_back(text).c_str(); }

  static std::optional<spec::value> get_number(byte_reader& in) {
    if (!in.get<bool>()) return std::nullopt;
    return in.get<spec::value>();
  }

  spec::operation get_operation(byte_reader& in) {
    spec::operation o{};
    o.name = keep(in.get_text());
    o.none = keep(in.get_text());
    o.returns = in.get<spec::type>();
    o.steps = in.get<std::uint32_t>();
    for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
      spec::argument a{keep(in.get_text()), in.get<spec::type>(), {}};
      for (auto some = in.get<std::uint64_t>(); some > 0; --some) {
        a.examples.push_back(in.get<spec::value>());
      }
      o.arguments.push_back(std::move(a));
    }
    for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
      o.aliases.push_back(keep(in.get_text()));
    }
    return o;
  }

  // An operation without steps would check nothing.
  void refuse_misfit(const spec::operation& o) const {
    const auto fail = [&](const std::string& what) {
      throw host_code_error(fmt::format("{}: operation \"{}\" has {}", who_, o.name, what));
    };
    if (o.steps == 0) fail("0 steps; leave `steps` out, or give it 1 or more");
    if (o.arguments.size() > spec::max_arguments) {
      fail(fmt::format("{} arguments; {} are the most", o.arguments.size(), spec::max_arguments));
    }
  }

  void take_parameters(byte_reader& in) {
    parameters_.clear();
    for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
      const char* const name = keep(in.get_text());
      const auto least = in.get<spec::value>();
      parameters_.push_back({name, least, in.get<spec::value>()});
    }
  }

  // Asks the worker, or takes a remembered answer, and reads it by `read`.
  template <class Read>
  std::invoke_result_t<Read, byte_reader&> asked(byte_writer& request, Read read) const {
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    std::string question = request.take();
    const std::lock_guard lock(asking_);
    auto known = known_.find(question);
    if (known == known_.end()) {
      std::string answer = worker_->ask(who_, question, waiting_);
      known_bytes_ += question.size() + answer.size();
      if (known_bytes_ > most_bytes) {
        known_.clear();
        known_bytes_ = question.size() + answer.size();
      }
      known = known_.emplace(std::move(question), std::move(answer)).first;
    }
    byte_reader in(known->second);
    return read(in);
  }
};

}  // namespace

spec_worker::spec_worker(std::string source, const std::filesystem::path& object,
                         const patience& waiting)
    : source_(std::move(source)),
      waiting_(waiting),
      worker_(std::make_unique<host_worker>(
          may::read_files, [server = std::make_shared<spec_server>()](std::string_view request) {
            return server->serve(request);
          })) {
  byte_writer request;
  request.put(spec_request::load);
  request.put_text(object.string());
  const std::string answer = worker_->ask(
      fmt::format("{}: a specification, while it is loaded,", source_), request.take(), waiting_);
  byte_reader in(answer);
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    names_.emplace_back(in.get_text());
  }
}

std::unique_ptr<spec::specification> spec_worker::make(std::string_view name) && {
  return std::make_unique<worker_spec>(std::move(worker_), std::string(name), source_, waiting_);
}

}  // namespace simt

extern "C" void simt_register_spec(simt::spec::maker make);

extern "C" void simt_register_spec(simt::spec::maker make) {
  if (simt::being_loaded == nullptr) {
    std::fputs("internal defect: a specification registers itself, but none is being loaded\n",
               stderr);
    std::abort();
  }
  simt::being_loaded->push_back(make);
}
