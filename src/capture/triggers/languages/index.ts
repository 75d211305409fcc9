import type { LanguageTable } from '../types.ts';
import { english } from './en.ts';
import { french } from './fr.ts';
import { german } from './de.ts';
import { spanish } from './es.ts';

export const LANGUAGES: readonly LanguageTable[] = [english, german, spanish, french];
