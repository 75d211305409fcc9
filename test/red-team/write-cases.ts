import fs from 'node:fs';
import path from 'node:path';
import { renderCases } from './cases.ts';

fs.writeFileSync(path.join(import.meta.dirname, 'CASES.md'), renderCases());
