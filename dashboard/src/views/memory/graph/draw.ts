import { drawGroupNames, drawGroups, typeColour } from './draw-groups.ts';
import type { Bridge, Group } from './layout.worker.ts';
import { areMembersShown, radiusOf, type Camera, type Marked, type Scene } from './scene.ts';
import { shorten } from '../../../../../src/model/text.ts';

export interface Palette {
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly surface: string;
  readonly accent: string;
  readonly types: readonly string[];
}

/** Muted, and as light as each other; shape of the graph comes first, kinds second. */
const TYPE_HUES = [175, 35, 265, 350, 95, 215, 310, 55];

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const isDark = style.colorScheme.includes('dark') || document.documentElement.dataset['theme'] === 'dark';
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ink: read('--ink'),
    faint: read('--ink-faint'),
    line: read('--line-strong'),
    surface: read('--surface'),
    accent: read('--accent'),
    types: TYPE_HUES.map((hue) => `oklch(${isDark ? 0.74 : 0.58} 0.09 ${hue})`),
  };
}

export interface Picture {
  readonly scene: Scene;
  readonly places: Float32Array;
  readonly groups: readonly Group[];
  readonly bridges: readonly Bridge[];
  readonly camera: Camera;
  readonly marked: Marked;
  readonly palette: Palette;
  readonly width: number;
  readonly height: number;
}

const MAX_LABELS = 70;

export function draw(context: CanvasRenderingContext2D, picture: Picture, pixelRatio: number): void {
  const { camera, width, height } = picture;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.translate(width / 2, height / 2);
  context.scale(camera.zoom, camera.zoom);
  context.translate(-camera.x, -camera.y);
  drawGroups(context, picture);
  drawLinks(context, picture);
  drawNodes(context, picture);
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  if (!areMembersShown(picture.groups, camera.zoom)) drawGroupNames(context, picture, getFont());
  drawLabels(context, picture);
}

/** One path for all that look alike: a thousand strokes cost a thousand times as much as one. */
function drawLinks(
  context: CanvasRenderingContext2D,
  { scene: { links }, places, groups, camera, marked, palette }: Picture,
): void {
  const hasFocus = marked.near.size > 0;
  const strokes = [...(groups.length > 0 ? [] : [false]), ...(hasFocus ? [true] : [])];
  for (const isNear of strokes) {
    context.beginPath();
    for (let at = 0; at < links.length; at += 2) {
      const from = links[at] ?? 0;
      const to = links[at + 1] ?? 0;
      if (hasFocus && (marked.near.has(from) && marked.near.has(to)) !== isNear) continue;
      context.moveTo(places[2 * from] ?? 0, places[2 * from + 1] ?? 0);
      context.lineTo(places[2 * to] ?? 0, places[2 * to + 1] ?? 0);
    }
    context.strokeStyle = isNear ? palette.accent : palette.line;
    context.globalAlpha = isNear ? 0.9 : hasFocus ? 0.22 : 0.6;
    context.lineWidth = (isNear ? 1.6 : 1) / camera.zoom;
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawNodes(context: CanvasRenderingContext2D, picture: Picture): void {
  const { scene, places, groups, camera, marked, palette } = picture;
  const hasFocus = marked.near.size > 0;
  const rounds = areMembersShown(groups, camera.zoom) ? (hasFocus ? [false, true] : [true]) : hasFocus ? [true] : [];
  for (const [index, { members }] of scene.types.entries()) {
    context.fillStyle = typeColour(palette, index);
    for (const isNear of rounds) {
      context.globalAlpha = isNear ? 1 : 0.25;
      context.beginPath();
      for (const number of members) {
        if (hasFocus && marked.near.has(number) !== isNear) continue;
        const x = places[2 * number] ?? 0;
        const y = places[2 * number + 1] ?? 0;
        const radius = radiusOf(scene.degrees[number] ?? 0);
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
      context.fill();
    }
  }
  context.globalAlpha = 1;
  for (const number of [marked.selected, marked.hovered]) {
    if (number === undefined) continue;
    context.beginPath();
    context.arc(
      places[2 * number] ?? 0,
      places[2 * number + 1] ?? 0,
      radiusOf(scene.degrees[number] ?? 0) + 4 / camera.zoom,
      0,
      2 * Math.PI,
    );
    context.strokeStyle = palette.accent;
    context.lineWidth = 2 / camera.zoom;
    context.stroke();
  }
}

/** Names where there is room for them: of what is marked first, then of what is best connected. */
function drawLabels(
  context: CanvasRenderingContext2D,
  { scene, places, groups, camera, marked, palette, width, height }: Picture,
): void {
  const centres = groups.map(({ centre }) => centre);
  const others = areMembersShown(groups, camera.zoom) ? [...centres, ...scene.nodes.keys()] : [];
  const wanted = [marked.selected, marked.hovered, ...marked.near, ...others];
  const taken: (readonly [number, number, number, number])[] = [];
  const seen = new Set<number>();
  context.font = `500 12px ${getFont()}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.lineJoin = 'round';
  const most = marked.near.size > 0 ? Math.min(MAX_LABELS, marked.near.size) : MAX_LABELS;
  for (const number of wanted) {
    if (taken.length >= most) return;
    if (number === undefined || seen.has(number)) continue;
    seen.add(number);
    const x = ((places[2 * number] ?? 0) - camera.x) * camera.zoom + width / 2;
    const y =
      ((places[2 * number + 1] ?? 0) - camera.y) * camera.zoom +
      height / 2 +
      radiusOf(scene.degrees[number] ?? 0) * camera.zoom +
      3;
    if (x < 0 || y < 0 || x > width || y > height) continue;
    const name = shorten(scene.nodes[number]?.name ?? '', MAX_NAME);
    const half = name.length * 3.4 + 4;
    const box = [x - half, y, x + half, y + 15] as const;
    if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]))
      continue;
    taken.push(box);
    context.strokeStyle = palette.surface;
    context.lineWidth = 3;
    context.strokeText(name, x, y);
    const isInside = groups.length > 0;
    context.fillStyle =
      isInside || number === marked.selected || number === marked.hovered ? palette.ink : palette.faint;
    context.fillText(name, x, y);
  }
}

const MAX_NAME = 26;

let font: string | undefined;
function getFont(): string {
  font ??= getComputedStyle(document.documentElement).getPropertyValue('--sans') || 'sans-serif';
  return font;
}
