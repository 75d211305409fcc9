import { z } from 'zod';
import type { Json } from '../../memory/procedures/expression/json.ts';

const json: z.ZodType<Json, Json> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(json).readonly(), z.record(z.string(), json)]),
);

/** Values that a run is given. */
export const values = z.record(z.string(), json);
