// Which lessons a user has done: a file in the user's folder for state.
#pragma once

#include <filesystem>
#include <set>

namespace warpcheck {

/// $XDG_STATE_HOME/warpcheck/lessons.json, or ~/.local/state/warpcheck/lessons.json; empty where
/// there is neither.
std::filesystem::path lesson_progress_file();

/// Numbers of lessons. A file that is missing or damaged has none.
std::set<unsigned> lessons_done();

/// Throws simt::file_error where the file cannot be written.
void keep_lessons_done(const std::set<unsigned>& done);

}  // namespace warpcheck
