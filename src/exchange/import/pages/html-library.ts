/* What reading a page takes, built into a file of its own that is loaded with the first page. */
export { Readability } from '@mozilla/readability';
export { parseHTML } from 'linkedom';
