import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../../../app/theme.ts';
import { GraphStage } from './stage.ts';
import type { Scene } from './scene.ts';

/** The drawing. Everything it shows is also in the list, which is what a screen reader is told of. */
export function GraphCanvas({
  scene,
  selected,
  near,
  onSelect,
}: {
  readonly scene: Scene;
  readonly selected: string | undefined;
  readonly near: readonly string[];
  readonly onSelect: (path: string | undefined) => void;
}): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<GraphStage | undefined>(undefined);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const made = new GraphStage(canvas.current, scene, (number) =>
      onSelect(number === undefined ? undefined : scene.nodes[number]?.path),
    );
    stage.current = made;
    return () => made.close();
  }, [scene]);
  const themeName = theme.value;
  useEffect(() => stage.current?.refreshColours(), [themeName]);
  useEffect(() => {
    const numbers = near.flatMap((path) => scene.numbers.get(path) ?? []);
    stage.current?.mark(selected === undefined ? undefined : scene.numbers.get(selected), numbers);
  }, [scene, selected, near]);
  return (
    <canvas
      ref={canvas}
      class="graph-canvas"
      tabIndex={0}
      role="img"
      aria-label={`A drawing of ${scene.nodes.length} people and things and how they are connected. The same stands in the list. Arrow keys move it, plus and minus change its size.`}
    />
  );
}
