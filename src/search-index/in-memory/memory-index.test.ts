import { MemoryIndex } from './memory-index.ts';
import { describeSearchIndex } from '../testing/conformance.ts';

describeSearchIndex('MemoryIndex', () =>
  Promise.resolve({ index: new MemoryIndex(), dispose: () => Promise.resolve() }),
);
