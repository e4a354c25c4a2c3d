// Arrays in device memory that measured subjects have as members (simt/memory.hpp): their initial
// content, and the way to the GPU and back. Included by building.cuh.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace building {

/// All arrays of the one subject that a process measures, by name.
class device_arrays {
 public:
  struct array {
    std::vector<int> at_first;
    std::vector<int> here;  // what the subject on the host has
    void* place = nullptr;  // of the pointer in that subject
    device_memory<int>* there = nullptr;
  };

  /// Sets an array's initial content. To be called before the subject is constructed.
  static void give(const std::string& name, std::vector<int> content) {
    all()[name].at_first = std::move(content);
  }

  /// The storage that the subject's constructor gets, which the constructor may fill.
  static void* storage(void* place, const char* name, std::size_t* count) {
    array& one = all()[name];
    one.place = place;
    one.here = one.at_first;
    *count = one.here.size();
    return one.here.data();
  }

  /// Copies the subject to the GPU. Its pointers become those of arrays on the GPU.
  template <class Subject>
  static void send(const Subject& here, device_memory<Subject>& there) {
    std::vector<unsigned char> image(sizeof(Subject));
    std::memcpy(image.data(), &here, sizeof(Subject));
    for (auto& [name, one] : all()) {
      if (one.there == nullptr) one.there = new device_memory<int>(one.here.size());
      one.there->send(one.here.data());
      const auto* const object = reinterpret_cast<const unsigned char*>(&here);
      int* const pointer = one.there->there();
      std::memcpy(image.data() + (static_cast<unsigned char*>(one.place) - object), &pointer,
                  sizeof pointer);
    }
    there.send(reinterpret_cast<const Subject*>(image.data()));
  }

  /// Copies the subject back from the GPU. Its pointers stay those of the host.
  template <class Subject>
  static void fetch(Subject& here, const device_memory<Subject>& there) {
    std::vector<unsigned char> image(sizeof(Subject));
    there.fetch(reinterpret_cast<Subject*>(image.data()));
    auto* const object = reinterpret_cast<unsigned char*>(&here);
    for (auto& [name, one] : all()) {
      auto* const place = static_cast<unsigned char*>(one.place);
      std::memcpy(image.data() + (place - object), place, sizeof(int*));
    }
    std::memcpy(object, image.data(), sizeof(Subject));
  }

  /// The content of the array on the GPU.
  static std::vector<int> fetch(const std::string& name) {
    array& one = all()[name];
    std::vector<int> content(one.here.size());
    one.there->fetch(content.data());
    return content;
  }
  /// Sets the content that the subject on the host sees.
  static void set(const std::string& name, const std::vector<int>& content) {
    std::copy(content.begin(), content.end(), all()[name].here.begin());
  }

 private:
  static std::map<std::string, array>& all() {
    static std::map<std::string, array> every;
    return every;
  }
};

}  // namespace building

namespace simt::detail {
inline void* allocate_array_storage(void* place, const char* name, std::size_t, std::size_t,
                                    element_kind, std::size_t* count) {
  return building::device_arrays::storage(place, name, count);
}
}  // namespace simt::detail
