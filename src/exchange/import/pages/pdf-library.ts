/* What reading a PDF takes: megabytes, built into a file of their own that is loaded with the first PDF. */
export { extractText, getDocumentProxy, getMeta } from 'unpdf';
