import type { Form } from './form.ts';

export const TASK_FORMS: readonly Form[] = [
  {
    kind: 'task',
    pattern:
      /\b(?:remind me (?:to|on|that|about|in|tomorrow|next)|don't let me forget|todo(?: for (?:me|us))?(?: as well| too)?:|to-do:|to do:|action item:)/u,
  },
  { kind: 'task', pattern: /\b(?:on|to) (?:my|the|our) (?:to-?do(?: list)?|task list|list)\b/u },
  {
    kind: 'task',
    pattern:
      /^(?:i|we) (?:also |really |still )*(?:need to|have to|must|ought to|'ve got to|got to|should) (?!admit|say|ask|know|think|be honest|agree|understand|laugh|go now|run now)\p{L}+/u,
    isDated: true,
  },
  {
    kind: 'task',
    pattern:
      /^(?:i|we) (?:also |really |still )*(?:need to|have to|must|'ve got to|got to) (?:call|phone|ring|text|e?mail|send|bring|book|buy|order|pay|renew|cancel|return|pick up|collect|fetch|file|submit|register|finish|prepare|review|sign|schedule|arrange|get back to|replace|chase|invoice|apply|reply|answer|post|print out|talk to|sort out|drop off|take .+ to)\b(?! (?:it|that|this|them)\b(?! \p{L}))/u,
  },
  {
    kind: 'task',
    pattern:
      /^(?:i|we) (?:also |really |still )*(?:need to|have to|must|'ve got to|got to) \p{L}+ .{3,80} (?:by|before|until|till) the \d{1,2}(?:st|nd|rd|th)\b/u,
  },
  { kind: 'task', pattern: /^(?:i|we)(?:'ve| have)? (?:also |really )*still (?:need to|have to|must|got to|to)\b/u },
  { kind: 'task', pattern: /^(?:i|we)(?:'ve| have)? (?:also |really )*(?:promised|owe)\b/u },
  { kind: 'task', pattern: /\b(?:is|are|'s|'re) (?:still )?waiting for .{3,80} from (?:me|us)\b/u },
  { kind: 'task', pattern: /^(?:somebody|someone|one of us) (?:has to|needs to|must)\b/u, isDated: true },
  { kind: 'task', pattern: /^(?:don't|do not|must not|let's not) forget (?:to|that|the|about)\b/u },
  { kind: 'task', pattern: /\b(?:is|are) due (?:on|by|in|next|before|this|tomorrow|at)\b/u },
  {
    kind: 'task',
    pattern: /^\p{L}+(?: \p{L}+)? (?:will|has to|needs to|must|is going to|is supposed to|promised to)\b/u,
    isNamed: true,
    isDated: true,
  },
  {
    kind: 'task',
    pattern:
      /^(?:still (?:open|to do|missing)|open (?:task|point|item|todo)s?|left to do|outstanding|what's left)(?::| is| are)\b/u,
  },
  {
    kind: 'task',
    pattern:
      /^by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|next|the end|end|\d)[^,]{0,30},? (?:i|we|\p{L}+) (?:need|have|must|has|needs|want|should)\b/u,
  },
];

export const PROCEDURE_FORMS: readonly Form[] = [
  {
    kind: 'procedure',
    pattern: /^(?:how (?:to|we|i) [^:?]{3,60}:|to [^,:?]{3,60}: \p{L}+|(?:the )?steps? (?:to|for|are)\b)/u,
  },
  {
    kind: 'procedure',
    pattern: /^(?:every|each|on) \p{L}+(?: \p{L}+)?,? (?:i|we) [^,]{3,60}, \p{L}+ [^,]{3,60},? (?:and|then)\b/u,
  },
  { kind: 'procedure', pattern: /\b(?:goes|works|is done|gets? \p{L}+(?: up)?|is \p{L}+(?: up)?) like this\b/u },
  {
    kind: 'procedure',
    pattern:
      /^(?:to|if|when|whenever|for|after|before) [^:]{3,60}[,:]? (?:you|we|i|they)\b[^,]{3,60},? (?:and )?then\b/u,
  },
  { kind: 'procedure', pattern: /^(?:for|then|with) [^:,]{3,40}: [^,]{5,70}, [^,]{5,80},? and\b/u },
  { kind: 'procedure', pattern: /^(?:the \p{L}+ is \p{L}+|\p{L}+ing [^:,]{2,30}): [^,]{5,60}, [^,]{5,80},? and\b/u },
  {
    kind: 'procedure',
    pattern: /^(?:every|each|any|for (?:a|an|every|each)) [^,]{8,80}, [^,]{5,80},? (?:and|then) [^,]{5,}/u,
  },
  { kind: 'procedure', pattern: /^first(?:,| you| we| i)? \p{L}+.*,? then\b.*(?:,|then|and|finally|last)/u },
  {
    kind: 'procedure',
    pattern:
      /^(?:to|when|whenever|if|for|after|before) [^,:]{3,70}[,:] (?:you |we |i )?(?:first|always first|start|run|open|check|hold|press|go|create|cut|log)\b.*(?:,|;| and)? ?then\b/u,
  },
  {
    kind: 'procedure',
    pattern:
      /^(?:the|our|my) (?:\p{L}+ ){0,2}(?:process|procedure|routine|checklist|workflow|recipe|drill)(?: for [^:]{2,40})?(?: is|:)/u,
  },
];
