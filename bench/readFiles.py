"""Reads machines' files for bench/files.ts by code and programs that are not the product's, and prints what is in them.

Usage: readFiles.py FOLDER. For every file of the folder one line of JSON: its name, its layers with the closed flag,
area and box of every contour, and what a machine would do badly (see find_faults). DXF is read by ezdxf, which also audits it. PLT is read by hp2xx, which writes it as SVG.
SVG, LBRN2 and XCS, for which Debian has no library, are read by the parsers below, with shapely for the areas.
"""
import json
import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import ezdxf
import numpy
from shapely.geometry import LineString, Point, Polygon
from shapely.ops import unary_union
from shapely.strtree import STRtree

STEPS = 96
T = numpy.linspace(0, 1, STEPS + 1)[1:, None]
BERNSTEIN = numpy.hstack([(1 - T) ** 3, 3 * (1 - T) ** 2 * T, 3 * (1 - T) * T**2, T**3])
ARC_STEPS = numpy.linspace(0, 1, 33)[1:]


def cubic(p0, p1, p2, p3):
    return [tuple(point) for point in (BERNSTEIN @ numpy.array([p0, p1, p2, p3])).tolist()]


def arc(start, end, bulge):
    """Points of the arc of a bulge, without its start. The angle is four times the bulge's arc tangent."""
    if bulge == 0:
        return [end]
    (x0, y0), (x1, y1) = start, end
    offset = (1 - bulge * bulge) / (4 * bulge)
    cx, cy = (x0 + x1) / 2 - (y1 - y0) * offset, (y0 + y1) / 2 + (x1 - x0) * offset
    angles = math.atan2(y0 - cy, x0 - cx) + 4 * math.atan(bulge) * ARC_STEPS
    radius = math.dist(start, (cx, cy))
    return list(zip((cx + radius * numpy.cos(angles)).tolist(), (cy + radius * numpy.sin(angles)).tolist()))


def length_of(points):
    return sum(math.dist(a, b) for a, b in zip(points, points[1:]))


def measure(points, closed, lengths):
    """Measures a contour; `lengths` are those of its segments, a curve counting as one."""
    area = Polygon(points).area if closed and len(points) > 2 else 0
    line = LineString(points + points[:1] if closed else points)
    return {"closed": closed, "area": area, "box": list(line.bounds), "line": line, "shortest": min(lengths, default=0)}


def deviation(contours, lines):
    """The largest distance between a contour and the line that it should follow; None if their numbers differ."""
    if len(contours) != len(lines):
        return None
    pairs = zip(contours, lines)
    return max((c["line"].hausdorff_distance(LineString(line)) for c, line in pairs), default=0)


def svg_path(d):
    """Contours of path data: points, closed flag and the lengths of the segments of each."""
    tokens = re.findall(r"[MLCZ]|-?[\d.]+", d)
    contours, points, lengths, i, command = [], [], [], 0, ""
    number = lambda: float(tokens[i])
    while i < len(tokens):
        if tokens[i] in "MLCZ":
            command = tokens[i]
            i += 1
            if command == "Z":
                closing = [math.dist(points[0], points[-1])]
                if len(points) > 1 and closing[0] < 1e-9:
                    points.pop()
                    closing = []
                contours.append((points, True, lengths + closing))
                points, lengths = [], []
                continue
        pairs = []
        for _ in range(3 if command == "C" else 1):
            pairs.append((float(tokens[i]), float(tokens[i + 1])))
            i += 2
        if command == "M":
            if points:
                contours.append((points, False, lengths))
            points, lengths = pairs, []
            command = "L"
            continue
        piece = pairs if command == "L" else cubic(points[-1], *pairs)
        lengths.append(length_of(points[-1:] + piece))
        points = points + piece
    if points:
        contours.append((points, False, lengths))
    return contours


def read_svg(path):
    root = ElementTree.parse(path).getroot()
    assert root.get("width").endswith("mm") and root.get("height").endswith("mm")
    width, height = float(root.get("width")[:-2]), float(root.get("height")[:-2])
    assert [float(v) for v in root.get("viewBox").split()] == [0, 0, width, height]
    layers = []
    for group in root:
        contours = [measure(*c) for p in group for c in svg_path(p.get("d"))]
        layers.append({"id": group.get("id"), "contours": contours})
    return {"size": [width, height], "layers": layers}


def read_lbrn2(path, height):
    root = ElementTree.parse(path).getroot()
    order = {}
    for setting in root.findall("CutSetting"):
        order[setting.find("index").get("Value")] = int(setting.find("priority").get("Value"))
    layers = {slot: [] for slot in sorted(order, key=order.get)}
    for shape in root.findall("Shape"):
        assert shape.find("XForm").text == "1 0 0 1 0 0"
        vertices = []
        for text in shape.find("VertList").text.split("V")[1:]:
            place, *handles = re.split(r"(?=c[01][xy])", text)
            vertex = {"p": tuple(float(v) for v in place.split())}
            vertex.update({h[:3]: float(h[3:]) for h in handles})
            vertices.append(vertex)
        flip = lambda p: (p[0], height - p[1])
        prims = shape.find("PrimList").text
        contours = []
        if prims in ("LineClosed", "LineOpen"):
            points, closed = [flip(v["p"]) for v in vertices], prims == "LineClosed"
            ring = points + points[:1] if closed else points
            contours.append((points, closed, [math.dist(a, b) for a, b in zip(ring, ring[1:])]))
        else:
            first = last = None
            for kind, a, b in re.findall(r"([LB])(\d+) (\d+)", prims):
                a, b = int(a), int(b)
                if last != a or first is None:
                    contours.append(([flip(vertices[a]["p"])], False, []))
                    first = a
                points, _, lengths = contours[-1]
                va, vb = vertices[a], vertices[b]
                piece = [flip(vb["p"])]
                if kind == "B":
                    c0 = (va["c0x"], va["c0y"]) if "c0y" in va else va["p"]
                    c1 = (vb["c1x"], vb["c1y"]) if "c1y" in vb else vb["p"]
                    piece = cubic(points[-1], flip(c0), flip(c1), flip(vb["p"]))
                lengths.append(length_of(points[-1:] + piece))
                points.extend(piece)
                last = b
                if b == first:
                    points.pop()
                    contours[-1] = (points, True, lengths)
                    first = last = None
        layers[shape.get("CutIndex")].extend(measure(*c) for c in contours)
    return {"size": None, "layers": [{"id": slot, "contours": layers[slot]} for slot in layers]}


def read_xcs(path):
    canvas = json.load(open(path))["canvas"][0]
    order = sorted(canvas["layerData"], key=lambda color: canvas["layerData"][color]["order"])
    layers = {color: [] for color in order}
    for display in canvas["displays"]:
        dx, dy = display["graphicX"], display["graphicY"]
        for points, closed, lengths in svg_path(display["dPath"]):
            moved = [(x + dx, y + dy) for x, y in points]
            layers[display["layerColor"]].append(measure(moved, closed, lengths))
    return {"size": None, "layers": [{"id": color, "contours": layers[color]} for color in order]}


def read_dxf(path):
    doc = ezdxf.readfile(path)
    audit = doc.audit()
    width, height = doc.header["$LIMMAX"]
    layers = {}
    for entity in doc.modelspace():
        corners = [(v.dxf.location.x, v.dxf.location.y, v.dxf.bulge) for v in entity.vertices]
        ends = corners[1:] + (corners[:1] if entity.is_closed else [])
        points, lengths = [corners[0][:2]], []
        for corner, end in zip(corners, ends):
            piece = arc(points[-1], end[:2], corner[2])
            lengths.append(length_of(points[-1:] + piece))
            points.extend(piece)
        if entity.is_closed:
            points.pop()
        points = [(x, height - y) for x, y in points]
        layers.setdefault(entity.dxf.layer, []).append(measure(points, entity.is_closed, lengths))
    return {
        "size": [width, height],
        "layers": [{"id": name, "contours": layers[name]} for name in layers],
        "errors": len(audit.errors),
        "fixes": len(audit.fixes),
    }


LEAST_SEGMENT_MM = 0.02
LEAST_ISLAND_MM2 = 0.01
# An end this near to another line is at it: two lines that meet are one place for a beam.
AT_MM = 0.11
# Lines this near to each other, over more than this length, are one cut.
SAME_MM = 0.015
LEAST_DOUBLE_MM = 0.25


def find_faults(layers, frame, place):
    """Counts what a machine would do badly. Cuts that are open, cross, or run twice count where no finding names them.

    `place` takes a point of the file to the job's frame, in which the places of the findings are.
    """
    faults = {"open": 0, "crossing": 0, "doubleMm": 0, "short": 0, "islands": 0, "outerFirst": 0, "named": 0}
    contours = [contour for layer in layers for contour in layer["contours"]]
    faults["short"] = sum(contour["shortest"] < LEAST_SEGMENT_MM for contour in contours)
    for kind, layer in zip(frame["kinds"], layers):
        if kind == "engrave":
            faults["islands"] += sum(c["area"] < LEAST_ISLAND_MM2 for c in layer["contours"])
        if kind == "cut":
            find_cut_faults([c for c in layer["contours"]], frame, place, faults)
    return faults


def find_cut_faults(cuts, frame, place, faults):
    lines = [cut["line"] for cut in cuts]
    tree = STRtree(lines)
    number = {id(line): i for i, line in enumerate(lines)}
    named = {kind: [Polygon(p).buffer(0.03) if len(p) > 2 else Point(p[0]).buffer(0.1) for p in places]
             for kind, places in frame["findingPlaces"].items()}

    def is_named(kinds, point):
        x, y = place(point.x, point.y)
        return any(area.contains(Point(x, y)) for kind in kinds for area in named.get(kind, []))

    def note(fault, kinds, point):
        faults["named" if is_named(kinds, point) else fault] += 1

    for i, (cut, line) in enumerate(zip(cuts, lines)):
        near = sorted(j for j in (number[id(other)] for other in tree.query(line.buffer(AT_MM))) if j != i)
        for end in [] if cut["closed"] else [Point(line.coords[0]), Point(line.coords[-1])]:
            x, y = place(end.x, end.y)
            at_edge = min(x, y, frame["width"] - x, frame["height"] - y) < 0.03
            is_held = any(lines[j].distance(end) <= AT_MM for j in near)
            if not at_edge and not is_held and not meets_itself(line, end):
                note("open", ["openContour", "clippedCut"], end)
        faults["doubleMm"] += line.length - unary_union([line]).length
        for j in near:
            if j > i:
                for part in double_parts(line, lines[j]):
                    # Cuts that cross at a flat angle lie on each other for a while, where the finding says they cross.
                    if is_named(["duplicateCut", "crossingCut"], part.centroid):
                        faults["named"] += 1
                    else:
                        faults["doubleMm"] += part.length
                for point in crossings(line, lines[j]):
                    note("crossing", ["crossingCut"], point)
        if not line.is_simple:
            for point in own_crossings(line):
                note("crossing", ["crossingCut"], point)
        if any(cuts[j]["closed"] and cuts[j]["area"] > cut["area"] and is_inside(line, lines[j]) for j in near if j < i):
            faults["outerFirst"] += 1


def is_inside(line, ring):
    return Polygon(ring.coords).buffer(0).contains(line)


def meets_itself(line, end):
    """True for an end that lies on its own line, farther along it."""
    at_start = line.project(end) < 1e-9
    far = [c for c in line.coords if Point(c).distance(end) > 2 * AT_MM]
    if len(far) < 2:
        return False
    index = list(line.coords).index(far[0] if at_start else far[-1])
    rest = line.coords[index:] if at_start else line.coords[: index + 1]
    return len(rest) > 1 and LineString(rest).distance(end) <= AT_MM


def parts_of(shape):
    return list(shape.geoms) if hasattr(shape, "geoms") else [shape] if not shape.is_empty else []


def double_parts(a, b):
    return [part for part in parts_of(a.intersection(b.buffer(SAME_MM))) if part.length > LEAST_DOUBLE_MM]


def crossings(a, b):
    """The points at which b goes from one side of a to the other one, away from the ends of both."""
    for part in parts_of(a.intersection(b)):
        point = part if part.geom_type == "Point" else part.centroid
        if all(away_from_ends(line, point) for line in (a, b)) and changes_side(a, b, point):
            yield point


def away_from_ends(line, point):
    return line.is_ring or min(Point(c).distance(point) for c in (line.coords[0], line.coords[-1])) > 0.06


def changes_side(a, b, point, step=0.06):
    def around(line):
        along = line.project(point)
        if line.is_ring:
            return line.interpolate((along - step) % line.length), line.interpolate((along + step) % line.length)
        return line.interpolate(max(0, along - step)), line.interpolate(min(line.length, along + step))

    (a0, a1), (b0, b1) = around(a), around(b)
    side = lambda p: (a1.x - a0.x) * (p.y - a0.y) - (a1.y - a0.y) * (p.x - a0.x)
    return side(b0) * side(b1) < 0 and LineString([a0, a1]).distance(LineString([b0, b1])) < 1e-9


def own_crossings(line):
    """The points at which a line crosses itself."""
    segments = [LineString(pair) for pair in zip(line.coords, line.coords[1:])]
    tree = STRtree(segments)
    number = {id(segment): i for i, segment in enumerate(segments)}
    for i, segment in enumerate(segments):
        for other in tree.query(segment):
            j = number[id(other)]
            if j > i + 1 and segment.crosses(other):
                yield segment.intersection(other)


POINTS_PER_MM = 72 / 25.4


def read_plt(path):
    """hp2xx writes SVG in points. It moves the drawing to the left edge; y stays that of the plotter, turned over."""
    out = path + ".svg"
    subprocess.run(["hp2xx", "-q", "-t", "-c", "12345677", "-m", "svg", "-f", out, path], check=True, capture_output=True)
    text = open(out).read()
    os.remove(out)
    bottom = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', text)[1])
    layers = []
    for group in text.split("<g")[1:]:
        lines = []
        for d in re.findall(r'<path d="([^"]*)"', group):
            numbers = [float(n) / POINTS_PER_MM for n in re.findall(r"-?[\d.]+", d)]
            points = [(x, bottom / POINTS_PER_MM - y) for x, y in zip(numbers[::2], numbers[1::2])]
            # Long lines come in pieces, some of them of one point.
            last = lines[-1] if lines else None
            is_open = last and (len(last) == 1 or math.dist(last[0], last[-1]) > 1e-6)
            if is_open and math.dist(last[-1], points[0]) < 1e-6:
                last.extend(points[1:])
            else:
                lines.append(points)
        found = []
        for points in [line for line in lines if len(line) > 1]:
            closed = len(points) > 3 and math.dist(points[0], points[-1]) < 1e-6
            lengths = [math.dist(a, b) for a, b in zip(points, points[1:])]
            found.append(measure(points[:-1] if closed else points, closed, lengths))
        if found:
            layers.append({"id": str(len(layers) + 1), "contours": found})
    return {"size": None, "layers": layers}


folder = sys.argv[1]
frames = json.load(open(os.path.join(folder, "frames.json")))
for name, frame in frames.items():
    path = os.path.join(folder, name)
    kind = name.rpartition(".")[2]
    try:
        if kind == "lbrn2":
            result = read_lbrn2(path, frame["height"])
        else:
            result = {"svg": read_svg, "xcs": read_xcs, "dxf": read_dxf, "plt": read_plt}[kind](path)
        place = (lambda x, y: (x + frame["left"], frame["height"] - y)) if kind == "plt" else lambda x, y: (x, y)
        result["faults"] = find_faults(result["layers"], frame, place)
        contours = [contour for layer in result["layers"] for contour in layer["contours"]]
        if "lines" in frame:
            result["deviation"] = deviation(contours, frame["lines"])
        for contour in contours:
            del contour["line"], contour["shortest"]
    except Exception as error:
        result = {"failure": f"{type(error).__name__}: {error}"}
    print(json.dumps({"name": name, **result}))
