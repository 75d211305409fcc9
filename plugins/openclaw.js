import { createOpenClawPlugin } from '../dist/index.js';

/** Only there inside OpenClaw; a host without it keeps its own way of shortening a window. */
async function delegateCompaction(params) {
  const { delegateCompactionToRuntime } = await import('openclaw/plugin-sdk/core');
  return delegateCompactionToRuntime(params);
}

// oxlint-disable-next-line import/no-default-export -- OpenClaw loads the default export.
export default createOpenClawPlugin({ delegateCompaction });
