import type { Palette, Picture } from './draw.ts';
import { areMembersShown, type Scene } from './scene.ts';

export function typeColour(palette: Palette, index: number): string {
  return palette.types[index % palette.types.length] ?? palette.accent;
}

const MOST_LINE_PX = 2.4;

/** Discs in the colour of what each gathers around, and lines between those that have most to do with each other. */
export function drawGroups(context: CanvasRenderingContext2D, picture: Picture): void {
  const { scene, groups, bridges, camera, palette } = picture;
  const isOverview = !areMembersShown(groups, camera.zoom);
  context.strokeStyle = palette.line;
  for (const { source, target, weight } of isOverview ? bridges : []) {
    const [from, to] = [groups[source], groups[target]];
    if (from === undefined || to === undefined) continue;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.lineWidth = Math.min(MOST_LINE_PX, 0.6 + Math.log2(weight) / 3) / camera.zoom;
    context.stroke();
  }
  for (const { x, y, radius, centre } of groups) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    // Opaque below, so that no line runs through a name.
    context.fillStyle = palette.surface;
    context.fill();
    context.fillStyle = typeColour(palette, typeOf(scene, centre));
    context.globalAlpha = isOverview ? 0.2 : 0.08;
    context.fill();
    context.strokeStyle = context.fillStyle;
    context.lineWidth = 1.2 / camera.zoom;
    context.globalAlpha = 0.55;
    context.stroke();
    context.globalAlpha = 1;
  }
}

function typeOf({ types }: Scene, node: number): number {
  return Math.max(
    0,
    types.findIndex(({ members }) => members.includes(node)),
  );
}

const LEAST_PX = 10;
const MOST_PX = 15;
/** Of the disc's width: its edge curves away above and below the middle. */
const ROOM = 0.86;
const MAX_LINES = 3;

/** The name of what a group gathers around, and how many they are, inside the disc. */
export function drawGroupNames(context: CanvasRenderingContext2D, picture: Picture, font: string): void {
  const { scene, groups, camera, palette, width, height } = picture;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { x, y, radius, centre, size } of groups) {
    const middle = { x: (x - camera.x) * camera.zoom + width / 2, y: (y - camera.y) * camera.zoom + height / 2 };
    const px = Math.max(LEAST_PX, Math.min(MOST_PX, radius * camera.zoom * 0.26));
    const room = radius * camera.zoom * 2 * ROOM;
    if (room < px * 2) continue;
    context.font = `600 ${px}px ${font}`;
    const lines = wrap(scene.nodes[centre]?.name ?? '', (text) => context.measureText(text).width <= room);
    const top = middle.y - (lines.length * px * 1.15) / 2;
    context.fillStyle = palette.ink;
    for (const [at, line] of lines.entries()) context.fillText(line, middle.x, top + at * px * 1.15 + px * 0.3);
    context.font = `400 ${px * 0.85}px ${font}`;
    context.fillStyle = palette.faint;
    const others = size - 1;
    if (others > 0) context.fillText(`+ ${others}`, middle.x, top + lines.length * px * 1.15 + px * 0.4);
  }
}

/** Whole words in lines; a word that fits nowhere is cut. */
function wrap(name: string, fits: (text: string) => boolean): readonly string[] {
  const lines: string[] = [];
  for (const word of name.split(/\s+/u)) {
    const last = lines.at(-1);
    if (last !== undefined && fits(`${last} ${word}`)) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(cut(word, fits));
  }
  return lines.slice(0, MAX_LINES);
}

function cut(word: string, fits: (text: string) => boolean): string {
  if (fits(word)) return word;
  let kept = word.length - 1;
  while (kept > 1 && !fits(`${word.slice(0, kept)}…`)) kept -= 1;
  return `${word.slice(0, kept)}…`;
}
