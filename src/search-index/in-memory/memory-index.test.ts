import { MemoryIndex } from './memory-index.ts';
import { describeSearchIndex } from '../testing/conformance.ts';

// SPEC SEARCH-3
describeSearchIndex('MemoryIndex', () =>
  Promise.resolve({ index: new MemoryIndex(), dispose: () => Promise.resolve() }),
);
