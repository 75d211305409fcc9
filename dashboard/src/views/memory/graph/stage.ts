import { draw, readPalette, type Palette } from './draw.ts';
import type { Bridge, Group, LayoutAnswer, LayoutRequest } from './layout.worker.ts';
import {
  areMembersShown,
  findGroup,
  findNode,
  fitCamera,
  neighboursOf,
  type Camera,
  type Marked,
  type Scene,
} from './scene.ts';

const MIN_ZOOM = 0.05;
const MAX_ZOOM = 5;
/** A finger or a hand that trembles does not mean to drag. */
const CLICK_SLACK = 5;

/** Draws when something changed, moves the camera, and says what was clicked. */
export class GraphStage {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #scene: Scene;
  readonly #onSelect: (number: number | undefined) => void;
  readonly #worker: Worker;
  readonly #resize: ResizeObserver;
  readonly #listening = new AbortController();
  #places: Float32Array;
  #groups: readonly Group[] = [];
  #bridges: readonly Bridge[] = [];
  #camera: Camera = { x: 0, y: 0, zoom: 1 };
  #marked: Marked = { hovered: undefined, selected: undefined, near: new Set() };
  #palette: Palette;
  #size = { width: 0, height: 0 };
  #isFollowing = true;
  #frame: number | undefined;
  #drag: { x: number; y: number; camera: Camera; moved: boolean } | undefined;
  readonly #pointers = new Map<number, { x: number; y: number }>();

  constructor(canvas: HTMLCanvasElement, scene: Scene, onSelect: (number: number | undefined) => void) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.#scene = scene;
    this.#onSelect = onSelect;
    this.#palette = readPalette(canvas);
    this.#places = new Float32Array(scene.nodes.length * 2);
    this.#worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', (event: MessageEvent<LayoutAnswer>) => this.#place(event.data));
    const { links, degrees, nodes } = scene;
    const request: LayoutRequest = { count: nodes.length, links, degrees };
    this.#worker.postMessage(request, []);
    this.#resize = new ResizeObserver(() => this.#measure());
    this.#resize.observe(canvas);
    this.#listen();
  }

  close(): void {
    this.#worker.terminate();
    this.#resize.disconnect();
    this.#listening.abort();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  refreshColours(): void {
    this.#palette = readPalette(this.#canvas);
    this.#redraw();
  }

  /** Without others named, what is next to the selected one is near. */
  mark(selected: number | undefined, near: readonly number[]): void {
    const around =
      near.length > 0
        ? new Set(near)
        : selected === undefined
          ? new Set<number>()
          : neighboursOf(this.#scene, selected);
    this.#marked = { ...this.#marked, selected, near: around };
    this.#redraw();
  }

  #place({ places, isDone, groups, bridges }: LayoutAnswer): void {
    this.#places = places;
    this.#bridges = bridges;
    this.#groups = groups;
    if (this.#isFollowing) this.#camera = fitCamera(places, this.#size.width, this.#size.height);
    if (isDone) this.#canvas.dataset['settled'] = 'true';
    this.#redraw();
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    this.#size = { width, height };
    this.#canvas.width = Math.round(width * window.devicePixelRatio);
    this.#canvas.height = Math.round(height * window.devicePixelRatio);
    if (this.#isFollowing) this.#camera = fitCamera(this.#places, width, height);
    this.#redraw();
  }

  #redraw(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      if (this.#context === null) return;
      const start = performance.now();
      const { width, height } = this.#size;
      const picture = {
        scene: this.#scene,
        places: this.#places,
        groups: this.#groups,
        bridges: this.#bridges,
        camera: this.#camera,
        marked: this.#marked,
        palette: this.#palette,
        width,
        height,
      };
      draw(this.#context, picture, window.devicePixelRatio);
      // For whoever measures (bench/dashboard.ts); kept nowhere.
      performance.measure('mneme:graph-frame', { start, end: performance.now() });
      performance.clearMeasures('mneme:graph-frame');
    });
  }

  #listen(): void {
    const { signal } = this.#listening;
    this.#canvas.addEventListener('pointerdown', (event) => this.#press(event), { signal });
    this.#canvas.addEventListener('pointermove', (event) => this.#move(event), { signal });
    this.#canvas.addEventListener('pointerup', (event) => this.#release(event), { signal });
    this.#canvas.addEventListener('pointercancel', (event) => this.#release(event), { signal });
    this.#canvas.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    this.#canvas.addEventListener('keydown', (event) => this.#key(event), { signal });
  }

  #press(event: PointerEvent): void {
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.#drag = { x: event.offsetX, y: event.offsetY, camera: this.#camera, moved: this.#pointers.size > 1 };
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (before !== undefined && this.#pointers.size === 2) {
      this.#pinch(event, before);
      return;
    }
    const drag = this.#drag;
    if (drag === undefined) {
      this.#hover(event);
      return;
    }
    const dx = event.offsetX - drag.x;
    const dy = event.offsetY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < CLICK_SLACK) return;
    drag.moved = true;
    this.#isFollowing = false;
    const { zoom } = this.#camera;
    this.#camera = { zoom, x: drag.camera.x - dx / zoom, y: drag.camera.y - dy / zoom };
    this.#redraw();
  }

  #pinch(event: PointerEvent, before: { x: number; y: number }): void {
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (other === undefined) return;
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
    if (was > 0) this.#zoomBy(is / was, (event.offsetX + other.x) / 2, (event.offsetY + other.y) / 2);
  }

  #release(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    const drag = this.#drag;
    this.#drag = undefined;
    if (drag === undefined || drag.moved || event.type === 'pointercancel') return;
    const group = this.#groupAt(event.offsetX, event.offsetY);
    if (group === undefined) this.#onSelect(this.#nodeAt(event.offsetX, event.offsetY));
    else this.#open(group);
  }

  #hover(event: PointerEvent): void {
    const hovered = this.#nodeAt(event.offsetX, event.offsetY);
    const isOver = hovered !== undefined || this.#groupAt(event.offsetX, event.offsetY) !== undefined;
    this.#canvas.classList.toggle('over-node', isOver);
    if (hovered === this.#marked.hovered) return;
    this.#marked = { ...this.#marked, hovered };
    this.#redraw();
  }

  #nodeAt(x: number, y: number): number | undefined {
    if (!areMembersShown(this.#groups, this.#camera.zoom)) return undefined;
    const place = this.#placeAt(x, y);
    return findNode(this.#scene, this.#places, place.x, place.y, 6 / this.#camera.zoom);
  }

  /** While a group stands for its members. */
  #groupAt(x: number, y: number): Group | undefined {
    if (areMembersShown(this.#groups, this.#camera.zoom)) return undefined;
    const place = this.#placeAt(x, y);
    return findGroup(this.#groups, place.x, place.y);
  }

  #placeAt(x: number, y: number): { readonly x: number; readonly y: number } {
    const { width, height } = this.#size;
    const { zoom } = this.#camera;
    return { x: (x - width / 2) / zoom + this.#camera.x, y: (y - height / 2) / zoom + this.#camera.y };
  }

  /** Goes so near that the members of the group fill the picture. */
  #open({ x, y, radius }: Group): void {
    this.#isFollowing = false;
    const { width, height } = this.#size;
    this.#camera = { x, y, zoom: Math.min(MAX_ZOOM, (Math.min(width, height) / (2 * radius)) * 0.9) };
    this.#redraw();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.#zoomBy(Math.exp(-event.deltaY * 0.0016), event.offsetX, event.offsetY);
  }

  /** Keeps the point under the pointer in place. */
  #zoomBy(factor: number, x: number, y: number): void {
    this.#isFollowing = false;
    const { width, height } = this.#size;
    const { zoom: old } = this.#camera;
    const zoom = Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, old * factor));
    const shift = 1 / old - 1 / zoom;
    this.#camera = { zoom, x: this.#camera.x + (x - width / 2) * shift, y: this.#camera.y + (y - height / 2) * shift };
    this.#redraw();
  }

  #key(event: KeyboardEvent): void {
    const { width, height } = this.#size;
    const step = 60 / this.#camera.zoom;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const move = moves[event.key];
    if (move !== undefined) {
      this.#isFollowing = false;
      this.#camera = { ...this.#camera, x: this.#camera.x + move[0], y: this.#camera.y + move[1] };
      this.#redraw();
    } else if (event.key === '+' || event.key === '=') this.#zoomBy(1.25, width / 2, height / 2);
    else if (event.key === '-') this.#zoomBy(0.8, width / 2, height / 2);
    else if (event.key === 'Escape') {
      this.#isFollowing = true;
      this.#measure();
      this.#onSelect(undefined);
    } else return;
    event.preventDefault();
  }
}
