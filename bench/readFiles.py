"""Reads machines' files for bench/files.ts by code and programs that are not the product's, and prints what is in them.

Usage: readFiles.py FOLDER. For every file of the folder one line of JSON: its name, and its layers with the closed flag,
area and box of every contour. DXF is read by ezdxf, which also audits it. PLT is read by hp2xx, which writes it as SVG.
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
from shapely.geometry import LineString, Polygon

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


def measure(points, closed):
    area = Polygon(points).area if closed and len(points) > 2 else 0
    line = LineString(points + points[:1] if closed else points)
    return {"closed": closed, "area": area, "box": list(line.bounds), "line": line}


def deviation(contours, lines):
    """The largest distance between a contour and the line that it should follow; None if their numbers differ."""
    if len(contours) != len(lines):
        return None
    pairs = zip(contours, lines)
    return max((c["line"].hausdorff_distance(LineString(line)) for c, line in pairs), default=0)


def svg_path(d):
    tokens = re.findall(r"[MLCZ]|-?[\d.]+", d)
    contours, points, i, command = [], [], 0, ""
    number = lambda: float(tokens[i])
    while i < len(tokens):
        if tokens[i] in "MLCZ":
            command = tokens[i]
            i += 1
            if command == "Z":
                if len(points) > 1 and math.dist(points[0], points[-1]) < 1e-9:
                    points.pop()
                contours.append((points, True))
                points = []
                continue
        pairs = []
        for _ in range(3 if command == "C" else 1):
            pairs.append((float(tokens[i]), float(tokens[i + 1])))
            i += 2
        if command == "M":
            if points:
                contours.append((points, False))
            points = pairs
            command = "L"
        elif command == "L":
            points = points + pairs
        else:
            points = points + list(cubic(points[-1], *pairs))
    if points:
        contours.append((points, False))
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
            contours.append(([flip(v["p"]) for v in vertices], prims == "LineClosed"))
        else:
            first = last = None
            for kind, a, b in re.findall(r"([LB])(\d+) (\d+)", prims):
                a, b = int(a), int(b)
                if last != a or first is None:
                    contours.append(([flip(vertices[a]["p"])], False))
                    first = a
                points = contours[-1][0]
                va, vb = vertices[a], vertices[b]
                if kind == "L":
                    points.append(flip(vb["p"]))
                else:
                    c0 = (va["c0x"], va["c0y"]) if "c0y" in va else va["p"]
                    c1 = (vb["c1x"], vb["c1y"]) if "c1y" in vb else vb["p"]
                    points.extend(cubic(points[-1], flip(c0), flip(c1), flip(vb["p"])))
                last = b
                if b == first:
                    points.pop()
                    contours[-1] = (points, True)
                    first = last = None
        layers[shape.get("CutIndex")].extend(measure(*c) for c in contours)
    return {"size": None, "layers": [{"id": slot, "contours": layers[slot]} for slot in layers]}


def read_xcs(path):
    canvas = json.load(open(path))["canvas"][0]
    order = sorted(canvas["layerData"], key=lambda color: canvas["layerData"][color]["order"])
    layers = {color: [] for color in order}
    for display in canvas["displays"]:
        dx, dy = display["graphicX"], display["graphicY"]
        for points, closed in svg_path(display["dPath"]):
            layers[display["layerColor"]].append(measure([(x + dx, y + dy) for x, y in points], closed))
    return {"size": None, "layers": [{"id": color, "contours": layers[color]} for color in order]}


def read_dxf(path):
    doc = ezdxf.readfile(path)
    audit = doc.audit()
    width, height = doc.header["$LIMMAX"]
    layers = {}
    for entity in doc.modelspace():
        corners = [(v.dxf.location.x, v.dxf.location.y, v.dxf.bulge) for v in entity.vertices]
        ends = corners[1:] + (corners[:1] if entity.is_closed else [])
        points = [corners[0][:2]]
        for corner, end in zip(corners, ends):
            points.extend(arc(points[-1], end[:2], corner[2]))
        if entity.is_closed:
            points.pop()
        points = [(x, height - y) for x, y in points]
        layers.setdefault(entity.dxf.layer, []).append(measure(points, entity.is_closed))
    return {
        "size": [width, height],
        "layers": [{"id": name, "contours": layers[name]} for name in layers],
        "errors": len(audit.errors),
        "fixes": len(audit.fixes),
    }


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
            found.append(measure(points[:-1] if closed else points, closed))
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
        contours = [contour for layer in result["layers"] for contour in layer["contours"]]
        if "lines" in frame:
            result["deviation"] = deviation(contours, frame["lines"])
        for contour in contours:
            del contour["line"]
    except Exception as error:
        result = {"failure": f"{type(error).__name__}: {error}"}
    print(json.dumps({"name": name, **result}))
