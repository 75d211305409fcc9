import { findModelFolder } from '../../encoder/model-files.ts';
import { packagedJudge } from '../../judge/judge.ts';
import { openBuiltinEmbedder } from '../../providers/embeddings/builtin.ts';
import { NoteVectors, type NoteVectorsPlace } from './note-vectors.ts';
import type { TopicModel } from './tier2.ts';

/** The model that comes with the package; its files are read when a message is first compared. */
export function openTopicModel(place?: NoteVectorsPlace): () => TopicModel {
  let opened: TopicModel | undefined;
  return () => {
    opened ??= {
      vectors: new NoteVectors(openBuiltinEmbedder(findModelFolder()), place),
      judge: packagedJudge(),
    };
    return opened;
  };
}
