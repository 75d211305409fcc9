import type { LanguageTable } from '../types.ts';

export const english: LanguageTable = {
  language: 'en',
  rules: [
    {
      kind: 'remember',
      position: 'command',
      object: 'needed',
      phrases: `
        remember ! me|us|him|her|them|when|how|why|who|what|where|which|whose|remember|if|whether|there|forget|recall|reflect
        do not forget ! me|us|him|them
        dont forget ! me|us|him|them
        dont|not let me|us forget about?
        do not let me|us forget about?
        dont you ever? forget > that|to|my|our
        do not|dont forget about ! me|us|him|them
        never forget > that|to|my|our|:
        not forget|not to forget > that|to|my|our
        remember|memorize|memorise the following
        memorize|memorise
        jot|note|write|put down > that|my|our|the|:|this
        jot|note|write|put this|that|it down
        make|take|keep a? mental|quick? note of|to?
        take note of?
        note this|that|the > :|.
        add|put|save|store|write|log|keep this|that|it|these|the following? to|in|into your|the? long-term? memory|memories|notes
        add|put|save|store|write|log ... to|in|into your long-term? memory|memories|notes
        save|store|record|note|log this|that|the following? fact|info|information|detail|preference|rule|decision for? later?
        record > that|:
        save|store > that i|im|ive|my|we|weve|our|hes|shes|theyre
        update your memory|notes with|so? that?
        add|save|store to|in|into your? long-term? memory|notes
        save|store|keep this|that|it|these for later|future|me|next reference|time? > .
        save|store this|that > .
        save|store|keep for later > :|that|,
        save for future reference > :|that|,
        keep this|that|it for future reference
        commit this|that|it|the following? to memory
        commit to memory
        remind me to|that
        help me remember|not forget > that|to|my
      `,
    },
    {
      kind: 'remember',
      position: 'command',
      object: 'needed',
      weak: true,
      phrases: `
        keep|bear|have this|that|it? in mind ! what|how
        note that
        note ,|: that
        please note ! how|the
        be aware that
      `,
    },
    {
      kind: 'remember',
      position: 'label',
      object: 'needed',
      phrases: `
        very? important
        super? important
        important note|info|reminder?
        note|reminder|info to|for self|myself|later|you|future
        just? so you remember
        so you dont forget
        for next time
        fyi for later
        for later
        for future reference
        for your memory|notes
        to remember
        please note|save
      `,
    },
    { kind: 'remember', position: 'label', object: 'needed', weak: true, phrases: 'note\nnb\nreminder\nheads up' },
    {
      kind: 'remember',
      position: 'standing',
      object: 'needed',
      phrases: `
        for future reference
        fyi for later
        for later reference
        for next time
      `,
    },
    {
      kind: 'remember',
      position: 'standing',
      object: 'needed',
      weak: true,
      phrases: `
        from now on|onwards|onward ! it|he|she|they|there|this|that|the|things|everything|life|is|was|will|every
        from here on out? ! it|he|she|they|there|this|that|the|things|everything|life|is|was|will|every
        going forward ! it|he|she|they|there|this|that|the|things|everything|is|was|will
        in the? future > please|always|never|dont|do|use|call|answer|only|,
        next time > please|always|never|dont|do|use|call|answer|only
        henceforth
      `,
    },
    {
      kind: 'recall',
      position: 'question',
      object: 'needed',
      phrases: `
        what|anything else? do|did you|u still? remember|know|recall about|of|from|regarding
        what|all|everything you know|remember|recall about|of|from > .
        what do you have stored|saved|noted|written? down? about|on|regarding
        what have you stored|saved|noted about|on|regarding
        what is|whats in your memory|notes about|on|regarding
        what did|have i|we ever? tell|told|say|said|mention|mentioned to? you? about|regarding|on
        what did|have we decide|decided|agree|agreed|say|said|discuss|discussed|settle|settled on? about|regarding|on|for|with
        when|where|why did we decide|agree|settle|choose to|on|for
        did i|we ever|already? tell|mention|say to? you? about|anything? about?
        have|had i|we ever|already? told|mentioned to? you? about|anything? about?
        do|can|could you|u still|even|happen? to? remember|recall > what|which|who|whose|where|why|whether|if|my|our|anything|his|her|their|the ! my|our|his|her|their|the ... is|are|was|were|has|have|will|lives|works|likes|prefers|needs|wants|hates|moved|starts|ends|comes ! anything|things|the .
        do you|u know > my|our ! my|our ... is|are|was|were|has|have|will|lives|works|likes|prefers|needs|wants|hates|moved|starts|ends|comes
        do you|u know > what|where|who|when|which|how my|our|i|we
        do|can|could you still? remember|recall > how i|to|much|many|our|my
        do you|u still? remember|recall anything about|of|from
        do|can|could you still? remember|recall > when i|we told|said|decided|agreed|discussed|talked|chose|mentioned|moved|switched|booked|fixed|planned|met
        do you have any memory|memories|notes|note|record|records of|about|on
        any memory|memories of|about
        have|did we ever|already? talked|talk|spoken|speak|discussed|discuss about
        what|who|where|when|which is|was|were|are ^my|our|his|her|their|the ... again > .
        whats|whos|wheres ^my|our|his|her|their|the ... again > .
        do you have anything|something stored|saved|noted|written? down? in? your? memory|notes? about|on|regarding
        is there anything in your memory|notes about|on|regarding
      `,
    },
    {
      kind: 'recall',
      position: 'short-question',
      object: 'needed',
      phrases: `
        remember > my|our|what|which|who|where|the
        remember that? i|we told|said|mentioned you? about?
        remember when i|we told|said|decided|agreed|discussed|mentioned you? about?
      `,
    },
    {
      kind: 'recall',
      position: 'question',
      object: 'optional',
      phrases: `
        what do you remember > .
        what do you know about me > .
        what do you remember about me > .
      `,
    },
    {
      kind: 'recall',
      position: 'command',
      object: 'optional',
      phrases: 'check|search|consult your memory|memories|notes > .',
    },
    {
      kind: 'recall',
      position: 'command',
      object: 'needed',
      phrases: `
        remind me ,? > what|which|who|whose|where|when|why|how|whether|if
        remind me of|about
        recall > what|which|who|whose|where|when|why|how|my|our|everything|anything
        tell|show me everything|all|what you still? know|remember|recall|have about|of|from|on|regarding
        list|show everything|all|what you know|remember about|of|from|on
        search|check|look|consult in|through|into? your memory|memories|notes for|about|on|regarding|whether|if
        look up in your memory|notes
        look ^... up in your memory|notes
        help me remember > what|which|who|whose|where|when|why|how
        try to? remember|recall > what|which|who|whose|where|when|why
      `,
    },
    {
      kind: 'forget',
      position: 'command',
      object: 'needed',
      phrases: `
        forget all? about ! it|ever ! me|us|them|him|her|this|that .
        forget > my|our|that|this
        forget > everything .
        forget > the old|previous|last|first? address|number|name|note|notes|date|appointment|meeting|password|email|conversation|preference|plan|deadline|reminder|project|trip|story
        forget the|that|this? whole? thing|things|stuff|part|bit|business|fact|note|notes|idea about|with|that|regarding|on
        forget|ignore|disregard about? what|whatever|anything|everything|all i|we ever|just|have? said|told|wrote|mentioned|tell|say|discussed|talked|spoke|shared you? about|on|regarding
        disregard|ignore|forget my|the|that last|previous|earlier|latest message|remark|comment|note|point about|on|regarding
        forget|delete|erase|wipe|purge|remove|clear what|whatever|anything|everything|all that? you know|remember|have|stored|learned|learnt|saved stored|saved|noted? about|on|of|regarding
        forget|delete|erase|wipe|purge everything|anything|all about
        i take back what i said about
        you no longer need|have to remember
        you dont|neednt need|have? to? remember ... anymore
        never mind about ! it|that|this|me .
        nevermind about ! it|that|this|me .
        delete|erase|remove|drop|clear|wipe|purge|archive the|that|this|all|any|every memory|memories about|of|on|regarding|that|where|from ! the? process|buffer|container|server|gpu|cpu|app|program|heap|cache|node|device
        delete|erase|remove|drop|clear|wipe|purge|archive your memory|memories|notes|note about|of|on|regarding|that|where|from
        delete|erase|remove|drop|clear|wipe|purge the note|notes you? have|made|took|saved|kept? about|on that? you? have|made?
        remove|delete|erase|wipe|purge|clear|strike from your? long-term? memory|notes > that|my|our|what|everything|:
        remove|delete|erase|wipe|purge|clear|strike anything|everything|all about|on|regarding ... from your memory|memories|notes
        remove|delete|erase|wipe|purge|clear|strike ... from your memory|memories|notes
        remove|delete|erase|wipe|purge ^my|our|this|that|everything|what ... from memory
        remove|delete|erase|wipe|purge this|that|it from your? memory|memories|notes
        what i|we said|told|mentioned you? about ... is|are no longer relevant|valid|current
        what i|we said|told|mentioned you? about ... is|are not relevant|valid|current anymore|any
        my note|notes|remark about ... is|are no longer relevant|valid|current
        the thing|stuff|part|note about ... is|are no longer relevant|valid|current
      `,
    },
    {
      kind: 'forget',
      position: 'command',
      object: 'back',
      phrases: `
        scratch|strike that
        disregard that|this > .
        disregard|ignore|forget my|the|that last|previous|earlier|latest message|messages|remark|comment|note|point|sentence|statement
        disregard|ignore|forget what|everything|whatever i|we just? said|wrote|told|sent you? just? now|before|earlier? > .
        forget i said|mentioned that|anything|it > .
        thats no longer relevant
        that|this|it is no longer relevant
        its no longer relevant
        thats not relevant anymore|any more?
        that|this|it is not relevant anymore|any more?
        that|this|it isnt relevant anymore|any more?
      `,
    },
    {
      kind: 'reflect',
      position: 'command',
      object: 'needed',
      phrases: `
        reflect on|upon ! the|your|this|that|my? first|last|previous? mirror|answer|answers|response|solution|output|code|reasoning|mistake|mistakes|approach|surface|light|wall|water|window|reply|error|errors
        take stock of
      `,
    },
    {
      kind: 'reflect',
      position: 'command',
      object: 'optional',
      phrases: `
        consolidate|review|clean|tidy|organize|organise|sort|prune|declutter|revisit|defragment up|through|out? your memory|memories about|of|on|from? ! usage|leak|leaks|footprint|allocation|consumption|management|limit
        consolidate|review|tidy|organize|organise|prune up|through? your notes about|on|from?
        go through|over all? your memories|memory|notes about|of|on|from?
        consolidate what you know|remember|learned about?
        run|do|start|trigger|perform a|the|your memory? reflection|consolidation on|about|of?
      `,
    },
  ],
  leadIns: `
    please|pls|plz|kindly
    hey|hi|hello|ok|okay|k|oh|ah|well|so|and|also|but|then|now|just|btw|yes|yeah|yep|no|right|alright|thanks|actually|wait|hm|hmm|plus|ps|first|firstly|second|secondly|third|last|lastly|finally|anyway|cool|great|perfect|however|additionally|instead|always|again|do|therefore|otherwise|besides|oops|sorry
    by the way
    before i forget
    hey|hi|hello|ok|okay *
    one more|last thing
    thank you
    for me
    claude|gpt|chatgpt|assistant|mneme|copilot|gemini|agent|bot|buddy|dude
    i|we want|need|ask|expect|beg you to
    id|wed like|love|prefer for? you to
    i|we would like|love|prefer for? you to
    im asking you to
    its|it is? important|essential|crucial|vital that|for? you to?
    take a|some moment|minute|time to
    make sure that? you|to
    please? be sure to|you
    you should|must|can|may|might|could|ought please? want|need? to?
    you need|ought to
    youd better
    try and|to
    lets
    let us
    its? time to
    it is time to
    go ahead and
    permanently|completely|forever|immediately|quickly|totally
    from now on
    for the future
    when you have|get time|a? minute|chance|sec
  `,
  asks: `
    will you please
    can|could|would you|u maybe|perhaps|possibly|also|just|please|now?
    it would be great|nice|good|lovely if you could?
    do you mind and?
    id|i appreciate it if you could|would?
    id|i would? appreciate it if you could|would?
    id be grateful|glad|happy|thankful if you could|would?
    i would be grateful|glad|happy|thankful if you could|would?
    it would help if you could?
    may|can i ask you to
  `,
  conjunctions: 'and but then or so plus',
  subjects: `i he she they we people who my his her their everyone everybody somebody someone nobody to you one how why what
    will would should could must might said says told`,
  firstPerson: 'i im ive id ill me my mine we were our us ours weve',
  sayVerbs: `said says say saying told tells telling asked asks wrote writes reminded reminds warned warns shouted shouts
    sang sings sing whispered whispers replied replies answered added goes reads yelled screamed begged urges urged insisted
    insists advises advised texted texts messaged emailed posted tweeted commented typed hollered muttered mention mentions states
    motto slogan`,
  fillers: 'please pls plz also just always kindly again',
  permanence:
    'permanently\nforever\nfor good\nfor ever\nirrevocably\nonce and for all\nfor all time\nerase\nwipe\npurge',
  not: 'not dont without never',
  pronouns: 'this that it these those them everything',
  complementisers: 'that to of about',
  generic: `things stuff anything something facts names people conversations details everything much well long-term
    information what`,
  openers: `i we he she they it its theyre its im ive were thats this that there just use lets instead please because since as
    she's he's you only go do take thats not but which`,
  nostalgia: `day days summer winter spring autumn night nights time times evening smell song songs kids 60s 70s 80s 90s
    childhood holiday holidays school party vacation feeling moment year weekend laughs`,
  determiners: 'that this those the our good old first last long crazy hot warm great best wonderful one all in',
  textNouns: `poem song songs lyrics story tale docstring comment comments paragraph sentence email e-mail mail letter text
    headline title tweet post caption slogan readme section script dialogue dialog scene speech essay verse haiku changelog
    article transcript chat quote docs documentation novel book chapter sign poster prompt translation subtitle tagline ad
    page webpage website document newsletter announcement`,
  machineNouns:
    'log logs output trace stacktrace traceback error errors diff patch config warning warnings console terminal',
  transformVerbs: `translate proofread rewrite rephrase paraphrase summarize summarise spellcheck shorten reword reformulate
    transcribe polish`,
  rolePlay: 'role-play\nroleplay\nrole play\npretend you\npretend to be\npretend that you\nact as\nimagine you are',
  creationVerbs:
    'write add put compose draft create insert include say says saying reads called titled saying print render type',
  memoryVerbs: 'remember memorize memorise save store jot forget',
  mailMarks: 'wrote',
};
