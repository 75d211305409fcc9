import type { LanguageTable } from '../types.ts';

/** "n'oublie" is cut into "n" and "oublie", "souviens-toi" into "souviens" and "toi" (see tokens.ts). */
export const french: LanguageTable = {
  language: 'fr',
  rules: [
    {
      kind: 'remember',
      position: 'command',
      object: 'needed',
      phrases: `
        souviens|rappelle toi de|du? que|qu? ! quand|comme|comment ! c était|etait
        souvenez|rappelez vous de|du? que|qu? ! quand|comme|comment ! c était|etait
        souviens|rappelle t en
        n|ne? oublie|oubliez pas|jamais que|qu|de|d? ! moi|nous
        noublie|noubliez pas que|qu|de|d?
        ne l oublie|oubliez pas
        garde|gardez ça|cela|le|ceci? en tête|mémoire que|qu?
        garde|gardez ça|cela|le|ceci? à l esprit que|qu?
        garde|gardez ça|cela|le|ceci? a lesprit que|qu?
        garde|conserve|enregistre|sauvegarde ça|cela|le|ceci pour plus|la|l tard|suite|avenir
        enregistre|sauvegarde|ajoute|mets ça|cela|le|ceci? dans|à|en ta|tes mémoire|notes que|qu?
        retiens|retenez bien? ! pas|ton|votre|les|la
        retiens|retenez la|le|les suivante|suivant
        note|notez bien? que|qu|ceci|ça|cela
        note|notez le
        prends|prenez en? note ça|cela? que|qu|de?
        mémorise|mémorisez que|qu|ça|ceci|cela|mon|ma|:|le
        rappelle|rappelez moi de|d|que|qu
        pense|pensez bien? à me rappeler que|qu|de|d
        pense|pensez bien? à ! moi|nous|toi|ça|quoi
        prends|prenez en compte que|qu|le
        tiens compte du fait que|qu
      `,
    },
    {
      kind: 'remember',
      position: 'asked',
      object: 'needed',
      phrases: `
        te souvenir|rappeler que|qu|de mon|ma|mes?
        vous souvenir|rappeler que|qu
        retenir|noter|mémoriser > que|qu|mon|ma|ça|ceci|:
        garder en tête|mémoire que|qu?
        garder à l esprit que|qu?
        te souviennes|rappelles que|qu|de
        retiennes|notes|mémorises > que|qu|mon|ma|ça|:
        gardes en tête|mémoire que|qu?
        gardes à l esprit que|qu?
        n oublies pas que|qu|de|d
      `,
    },
    {
      kind: 'remember',
      position: 'label',
      object: 'needed',
      phrases: `
        très? important
        pour plus tard
        pour l avenir
        pour la suite
        pour la prochaine fois
        pour mémoire
        note à moi même?
        à retenir|noter
      `,
    },
    {
      kind: 'remember',
      position: 'standing',
      object: 'needed',
      weak: true,
      phrases: `
        à partir de maintenant ! ce|c|il|elle|les|la|le|tout|ça|cela|on|est|sera
        à partir d aujourd|aujourdhui hui? ! ce|c|il|elle|les|la|le|tout|ça|cela|on|est|sera
        dorénavant|désormais ! ce|c|il|elle|les|la|le|tout|ça|cela|on|est|sera
        à l avenir > ,|s|réponds|utilise|ne|toujours
      `,
    },
    {
      kind: 'recall',
      position: 'question',
      object: 'needed',
      phrases: `
        que|qu sais tu de|du|des|sur|à propos? de|du?
        que|qu savez vous de|du|des|sur
        tu sais|connais quoi de|du|sur
        qu est ce que|qu tu sais|retiens|as de|du|sur|à|retenu propos|retenu? de|du|sur?
        qu est ce que tu te rappelles|souviens de|du|sur
        quest ce que tu sais de|du|sur
        que te rappelles|souviens tu de|du|sur
        quel|quelle était|est déjà ^mon|ma|le|la|notre ... > .
        de quoi te souviens tu à|de|sur? propos? de|du
        tu te souviens|rappelles encore? de|du|d|des|que|qu? ! cet|cette|ce|quand|moi|les|l|comme|la
        tu te souviens|rappelles encore? de|du? > ce que|qu|qui|dont
        tu te souviens|rappelles > ce|quel|quelle|où|qui|pourquoi|comment|mon|ma|mes|notre|si
        te souviens|rappelles tu de|du|d|des|que|qu? ! cet|cette|ce|quand|moi|les|l|comme|la
        te souviens|rappelles tu de|du? > ce que|qu|qui|dont
        te souviens|rappelles tu > quel|quelle|où|qui|pourquoi|comment|mon|ma|mes|notre|si
        est ce que tu te souviens|rappelles de|du|d|des ! cet|cette|quand
        qu est ce que je t|te ai? ai|avais? dit|raconté sur|de|du|à|concernant propos? de|du?
        que|qu t ai|avais je dit|raconté sur|de|du|à|concernant propos? de|du?
        qu est ce qu on a|avait décidé|dit|convenu sur|pour|de|du|à|concernant propos? de|du?
        qu avons nous décidé|dit|convenu sur|pour|de|du|à|concernant propos? de|du?
        est ce que je t ai déjà? parlé de|du|d|des
        as tu quelque chose|noté en|dans|sur mémoire|tes|ta notes|mémoire? sur
      `,
    },
    {
      kind: 'recall',
      position: 'question',
      object: 'optional',
      phrases: 'que sais tu de|sur moi\nqu est ce que tu sais de|sur moi',
    },
    {
      kind: 'recall',
      position: 'command',
      object: 'needed',
      phrases: `
        rappelle|rappelez moi > quel|quelle|quels|quelles|ce|où|qui|quand|pourquoi|comment|si|mon|ma
        dis|raconte moi tout? ce que tu sais|retiens de|du|sur|à propos? de|du?
        cherche|regarde|fouille dans ta|tes mémoire|souvenirs|notes
      `,
    },
    {
      kind: 'forget',
      position: 'command',
      object: 'needed',
      phrases: `
        oublie|oubliez l|cette histoire|affaire|idée de|du|d|avec|des
        oublie|oubliez le|la truc|coup|question|sujet de|du|d|avec|des
        oublie|oubliez|ignore|ignorez tout? ce que|qu je|j t|te|on? ai|tai|avais|jai|a dit|raconté|écrit|mentionné sur|de|du|à|concernant|a propos? de|du?
        oublie|oubliez|efface|effacez|supprime|supprimez tout? ce que|qu tu|vous sais|savez|as|connais sur|de|du|à propos? de|du?
        oublie|oubliez|efface|supprime|supprimez tout sur|de|du|à|concernant propos? de|du?
        oublie|oubliez > mon|ma|mes|notre|nos|que|qu
        oublie|oubliez > tout .
        efface|supprime|effacez|supprimez le|les|ton|tes souvenir|souvenirs|note|notes de|du|sur|d|concernant
        efface|supprime|retire|enlève|effacez|supprimez de ta|votre mémoire
        efface|supprime|retire|enlève|effacez|supprimez ... de ta|votre mémoire
        efface|supprime|retire|enlève ... de tes souvenirs|notes
        ce que je t ai dit sur|de|du ... n est plus pertinent|valable|actuel
      `,
    },
    {
      kind: 'forget',
      position: 'asked',
      object: 'needed',
      phrases: `
        oublier l histoire de|du|d
        oublier > mon|ma|mes|notre|nos
        oublier ce que je|j t? ai dit sur|de|du|à propos? de|du?
        oublies > mon|ma|mes|notre|nos
        oublies ce que je|j t? ai dit sur|de|du|à propos? de|du?
        effacer|supprimer tout ce que tu sais sur|de|du
        effacer|supprimer|retirer ... de ta mémoire
      `,
    },
    {
      kind: 'forget',
      position: 'command',
      object: 'back',
      phrases: `
        oublie|oubliez|ignore ce que je viens de dire|écrire
        oublie|oubliez|ignore ce que j|je t? ai dit > .
        oublie|ignore mon dernier message
        ce n est plus pertinent
        c est plus pertinent
        ça n est plus pertinent
        cela n est plus pertinent|actuel
        raye ça > .
      `,
    },
    {
      kind: 'reflect',
      position: 'command',
      object: 'needed',
      phrases: `
        réfléchis|réfléchissez|réfléchissons à|sur|au|aux ! ta|ton réponse|code
      `,
    },
    {
      kind: 'reflect',
      position: 'command',
      object: 'optional',
      phrases: `
        fais|faites le|du tri|ménage dans ta|tes|votre mémoire|souvenirs|notes
        passe|passez en revue tes|ta|vos souvenirs|mémoire|notes sur|de|du?
        range|trie|nettoie|consolide|organise|révise ta|tes mémoire|souvenirs|notes sur|de|du?
        fais|lance une réflexion|consolidation
      `,
    },
    {
      kind: 'reflect',
      position: 'asked',
      object: 'optional',
      phrases: `
        ranger|trier|nettoyer|consolider|organiser|réviser ta|tes mémoire|souvenirs|notes
        passer en revue tes souvenirs|notes
        faire le tri|ménage dans ta|tes mémoire|souvenirs
      `,
    },
  ],
  leadIns: `
    salut|hé|ok|bon|bien|alors|et|aussi|mais|puis|maintenant|oui|non|merci|d|accord|d'accord|enfin|ah|oh|stp|svp|toujours|attends|parfait|super|premièrement|deuxièmement|donc
    s il te|vous plaît
    sil te|vous plaît
    au fait
    salut|hé *
    une dernière chose
    autre chose
    claude|gpt|chatgpt|assistant|mneme|copilot|gemini
    tu dois|devrais|peux
    veille à|bien à?
    assure toi de
    prends le temps de
    définitivement
    pour info
  `,
  asks: `
    peux|pourrais|veux tu bien|stp|aussi?
    pouvez|pourriez|voulez vous bien|svp|aussi?
    tu peux|pourrais|veux bien|stp|aussi?
    est ce que tu peux|pourrais
    je veux|voudrais|souhaite|aimerais que tu
    j aimerais que tu
    il faut que tu
  `,
  conjunctions: 'et mais puis ou',
  subjects: 'je j il elle ils elles on nous qui mon ma son sa gens me pour dit devrais devrait a comment pourquoi',
  firstPerson: 'je j me m moi mon ma mes nous notre nos',
  sayVerbs: `dit disait dire dis écrit écrivait demandé demande crié crie chante chantait chanté répondu répète murmuré prévenu
    conseillé rappelé devise slogan`,
  fillers: 'bien aussi stp svp toujours',
  permanence: 'définitivement\npour toujours\nà jamais\npour de bon\nune fois pour toutes\nde façon permanente',
  not: 'pas ne sans',
  pronouns: 'ça cela ceci le ca tout',
  complementisers: 'que qu de d du des',
  generic: 'choses chose trucs quelque noms conversations faits',
  openers: 'je j on nous il elle c ce ça utilise prends plutôt car parce finalement tu',
  nostalgia: 'fois jour jours été hiver nuit soir temps enfance école vacances époque moment',
  determiners: 'le la les l ce cet cette ces bon vieux vieil premier de du d en',
  textNouns: `poème chanson paroles histoire conte commentaire paragraphe phrase mail e-mail courriel lettre texte titre article
    scénario dialogue scène discours essai citation documentation roman livre chapitre panneau prompt docstring page document`,
  machineNouns: 'log logs sortie erreur erreurs trace configuration',
  transformVerbs: 'traduis traduire traduisez corrige réécris reformule résume paraphrase relis',
  rolePlay: 'jeu de rôle\nfais comme si\nimagine que tu es',
  creationVerbs: 'écris écrire ajoute mets rédige crée compose dit',
  memoryVerbs: 'souviens retiens oublie note rappelle',
  mailMarks: 'écrit',
};
