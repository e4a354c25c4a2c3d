"""The rooms of the code: no includes go round in a circle, no folder is too large to look through, and each room
of the simulator and of the checker links the rooms that it includes."""

import collections
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
MOST_FILES = 25


def room_of(path):
    """checker/run/session.hpp → checker/run; folders within a room belong to it."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def source_files():
    for top in ("sim", "litmus", "exec", "checker"):
        for file in sorted((SOURCE / top).rglob("*.[ch]pp")):
            name = file.relative_to(SOURCE).as_posix()
            if not name.startswith("sim/include/"):
                yield name, file


def includes():
    """Room → rooms that it includes, each with one file that does."""
    edges = collections.defaultdict(dict)
    for name, file in source_files():
        for other in re.findall(r'^#include "([^"]+/[^"]+)"', file.read_text(), re.MULTILINE):
            if room_of(name) != room_of(other):
                edges[room_of(name)].setdefault(room_of(other), name)
    return edges


def circle(edges):
    """Rooms that lead back to the first one, or nothing."""
    done = set()

    def walk(room, path):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return None
        for other in sorted(edges.get(room, {})):
            if found := walk(other, path + [room]):
                return found
        done.add(room)
        return None

    for room in sorted(edges):
        if found := walk(room, []):
            return found
    return None


class rooms(unittest.TestCase):
    def test_a_circle_is_found(self):
        self.assertEqual(circle({"a": {"b": ""}, "b": {"c": ""}, "c": {"b": ""}}), ["b", "c", "b"])
        self.assertIsNone(circle({"a": {"b": "", "c": ""}, "b": {"c": ""}}))

    def test_includes_go_one_way(self):
        edges = includes()
        self.assertIn("checker/explore", edges)
        found = circle(edges)
        if found:
            steps = [f"{edges[a][b]} includes {b}" for a, b in zip(found, found[1:])]
            self.fail("rooms that include each other: " + "; ".join(steps))

    def test_the_table_of_rooms_has_them_in_order(self):
        text = (SOURCE / "docs/architecture.md").read_text()
        order = re.findall(r"^\| `((?:sim|litmus|exec|checker)[a-z/]*)` \|", text, re.MULTILINE)
        for room, others in includes().items():
            self.assertIn(room, order + ["checker"])
            for other in others:
                if other in order and room in order:
                    self.assertLess(order.index(other), order.index(room), f"{room} includes {other}")

    def test_no_folder_has_too_many_files(self):
        sizes = collections.Counter(os.path.dirname(name) for name, _ in source_files())
        large = {folder: size for folder, size in sizes.items() if size > MOST_FILES}
        self.assertEqual(large, {}, f"more than {MOST_FILES} files; which of them are a room of their own?")

    def test_each_room_links_what_it_includes(self):
        edges = includes()
        for top in ("sim", "checker"):
            text = (SOURCE / top / "CMakeLists.txt").read_text()
            links = {name: set(re.findall(r"\b[a-z]+\b", rest.split("PRIVATE")[0]))
                     for name, rest in re.findall(rf"^{top}_room\((\w+)(.*)\)$", text, re.MULTILINE)}

            def reached(name):
                below = {other for other in links[name] if other in links}
                return below.union(*(reached(other) for other in below))

            self.assertGreater(len(links), 8)
            for room, others in edges.items():
                name = room.removeprefix(top + "/")
                if name not in links:
                    continue
                for other in others:
                    if (other_name := other.removeprefix(top + "/")) in links:
                        self.assertIn(other_name, reached(name), room)


if __name__ == "__main__":
    unittest.main()
