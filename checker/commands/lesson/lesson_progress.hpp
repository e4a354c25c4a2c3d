// Keeps the lessons that a user has done, in a file in the user's folder for state.
#pragma once

#include <filesystem>
#include <set>

namespace warpcheck {

/// Returns $XDG_STATE_HOME/warpcheck/lessons.json, or ~/.local/state/warpcheck/lessons.json. Empty
/// if there is neither folder.
std::filesystem::path lesson_progress_file();

/// Returns the numbers of lessons. A missing or damaged file has none.
std::set<unsigned> lessons_done();

/// Throws simt::file_error if the file cannot be written.
void keep_lessons_done(const std::set<unsigned>& done);

}  // namespace warpcheck
