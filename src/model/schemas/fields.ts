import { z } from 'zod';

/** Fields that several frontmatter kinds share. YAML reads `version: 2` as a number; what is meant as text accepts it. */

export const text = z.union([z.string(), z.number(), z.boolean()], { error: 'must be text' }).transform(String);

export const textList = z.array(text, { error: 'must be a list, such as [a, b]' });

export const day = z
  .string({ error: 'must be a day, such as 2026-02-16' })
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day, such as 2026-02-16')
  .describe('A day in the home’s time zone.');

const TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

export const timestamp = z
  .string({ error: 'must be a time, such as 2026-02-16T18:45:00Z' })
  .regex(TIMESTAMP_PATTERN, 'must be a time, such as 2026-02-16T18:45:00Z')
  .describe('A time in ISO 8601; a bare day is accepted.');

/** A date that may be a year or a month only. */
export const partialDate = z
  .union([z.string(), z.number()], { error: 'must be a date, such as 2026, 2026-02 or 2026-02-16' })
  .transform(String)
  .pipe(
    z
      .string()
      .regex(/^\d{4}(?:-\d{2}(?:-\d{2}(?:T[\d:.]+Z?)?)?)?$/, 'must be a date, such as 2026, 2026-02 or 2026-02-16'),
  )
  .describe('A date known to the year, month, day or time.');

export const fraction = z
  .number({ error: 'must be a number from 0 to 1' })
  .min(0, 'must be at least 0')
  .max(1, 'must be at most 1')
  .describe('A number from 0 to 1.');

export const count = z
  .number({ error: 'must be a whole number' })
  .int('must be a whole number')
  .min(0, 'must not be negative');

export const flag = z.boolean({ error: 'must be true or false' });

export const CONFIDENCE_WORDS = ['high', 'medium', 'low'] as const;

/** A word as people write it, or a number as machines compute it. */
export const confidence = z
  .union([z.enum(CONFIDENCE_WORDS), fraction], { error: 'must be high, medium, low or a number from 0 to 1' })
  .describe('How sure we are.');
export type Confidence = z.infer<typeof confidence>;

const CONFIDENCE_VALUES = { high: 0.9, medium: 0.6, low: 0.3 } as const;

export function confidenceValue(value: Confidence): number {
  return typeof value === 'number' ? value : CONFIDENCE_VALUES[value];
}

/** One of `values`, with a message that lists them. */
export function oneOf<const T extends readonly [string, ...string[]]>(values: T): z.ZodEnum<{ [K in T[number]]: K }> {
  return z.enum(values, { error: `must be one of: ${values.join(', ')}` });
}
