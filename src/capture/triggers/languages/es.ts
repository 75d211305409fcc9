import type { LanguageTable } from '../types.ts';

export const spanish: LanguageTable = {
  language: 'es',
  rules: [
    {
      kind: 'remember',
      position: 'command',
      object: 'needed',
      phrases: `
        recuerda|recuerde|recordad|recordá ! cuando|cuándo|como|a|el|la|los|las
        recuerda|recuerde el|la|los|las siguiente|siguientes
        acuérdate|acuérdese|acordate de? que?
        no te? olvides|olvidés de? que?
        no se? olvide de? que?
        nunca te? olvides de? que
        que? no se me|te|nos olvide que?
        ten|tenga|tené esto|eso? en cuenta que?
        ten|tenga esto|eso? en mente|presente que?
        apunta|apunte|anota|anote|apuntá|anotá que|esto|eso|lo|: siguiente?
        apúntate|anótate que|esto|eso|:
        toma|tome nota de? que?
        guarda|guarde esto|eso|lo para más|después|luego|el tarde|futuro?
        guarda|guarde esto|eso > .|:
        actualiza tu memoria|notas
        guarda|guarde|añade|agrega esto|eso|lo? en|a tu memoria|notas que?
        memoriza|memorice que|esto|eso|lo|:|mi
        recuérdame|recuérdeme ! =qué|=quién|=dónde|=cuál|=cuándo|=cómo|a|cuanto|si|quien|donde|cual|cuando|como|lo|.
      `,
    },
    {
      kind: 'remember',
      position: 'command',
      object: 'back',
      phrases: `
        recuérdalo|recuérdelo|recordalo|apúntalo|anótalo|memorízalo
        no lo olvides|olvide
        tenlo|téngalo en cuenta|mente
      `,
    },
    {
      kind: 'remember',
      position: 'asked',
      object: 'needed',
      phrases: `
        recordar|recordarme|apuntar|anotar|memorizar > que|mi|esto|:
        tener en cuenta que?
        tener en mente que?
        tomar nota de? que?
        recuerdes|recordaras|recordases > que|mi|esto|:
        tengas en cuenta que?
        no olvides > que|mi|de
        anotes|apuntes > que|mi|esto|:
      `,
    },
    {
      kind: 'remember',
      position: 'label',
      object: 'needed',
      phrases: `
        muy? importante
        para el|más|un futuro|tarde|adelante
        para más tarde|adelante
        para la próxima
        para que lo recuerdes
        nota mental
        nota para mí
      `,
    },
    {
      kind: 'remember',
      position: 'standing',
      object: 'needed',
      weak: true,
      phrases: `
        a partir de ahora|hoy ! será|es|va|todo|el|la|los|las|hay|está|serán|fue
        de ahora|aquí|hoy en adelante ! será|es|va|todo|el|la|los|las|hay|está|serán|fue
        desde ahora ! será|es|va|todo|el|la|los|las|hay|está|fue
        en el futuro > por|siempre|nunca|no|usa|responde|solo|,
        para futuras referencias|ocasiones
        para futura referencia
      `,
    },
    {
      kind: 'recall',
      position: 'question',
      object: 'needed',
      phrases: `
        qué sabes|recuerdas|sabés|recordás de|del|sobre|acerca de|del?
        qué te acuerdas de|del|sobre
        qué te? dije|conté|comenté|mencioné|he|había dicho|contado|comentado? de|del|sobre|acerca de|del?
        qué decidimos|acordamos|dijimos|hablamos de|del|sobre|acerca|con de|del?
        recuerdas|recordás > qué|quién|dónde|cuál|cómo|si|mi|mis|nuestro|nuestra|el|la|lo ! cómo éramos
        recuerdas|recordás > cuándo decidimos|acordamos|dije|hablamos|dijimos
        te acuerdas|acordás de|del lo|la|el|los|las? ! aquel|aquella|aquellos|aquellas|cuando|mí|ese|esa
        te he|había hablado|contado de|del|sobre
        tienes algo guardado|anotado? en tu memoria|notas sobre|de|del|acerca
        tienes algo guardado|anotado sobre|de|del
      `,
    },
    { kind: 'recall', position: 'question', object: 'optional', phrases: 'qué sabes|recuerdas de|sobre mí > .' },
    {
      kind: 'recall',
      position: 'command',
      object: 'needed',
      phrases: `
        recuérdame|recuérdeme|recordame > =qué|=quién|=dónde|=cuál|=cuándo|=cómo|cual|donde|quien|como|lo
        dime|cuéntame todo? lo? que sabes|recuerdas de|del|sobre|acerca
        dime =qué sabes|recuerdas de|del|sobre|acerca
        busca|mira|consulta en tu memoria|tus recuerdos|notas?
      `,
    },
    {
      kind: 'forget',
      position: 'command',
      object: 'needed',
      phrases: `
        olvida|olvide|olvidá lo|la|el de|del|asunto|tema|cosa de|del|con?
        olvídate|olvídese|olvidate de|del lo|todo? de|del? ! =mí|ello|eso|nosotros .
        olvida|olvide|olvídate|olvidá|ignora|ignore de? todo? lo que te? dije|conté|comenté|mencioné|he|escribí dicho|contado|comentado|mencionado? sobre|de|del|acerca de|del?
        olvida|borra|elimina|borre|elimine todo? lo que sabes|sepas|recuerdas|tienes sobre|de|del|acerca de|del?
        olvida|borra|elimina|borre|elimine todo sobre|de|del|acerca de|del?
        olvida > mi|mis|nuestro|nuestra|que
        olvida > todo .
        borra|elimina|borre|elimine el|los|tu|tus recuerdo|recuerdos|memoria|memorias|nota|notas de|del|sobre|acerca de|del?
        borra|elimina|quita|saca|borre|elimine de tu|la memoria
        borra|elimina|quita|saca|borre|elimine ... de tu memoria
        borra|elimina|quita|saca ... de tus recuerdos|notas
        lo que te? dije|conté sobre|de|del ... ya no es relevante|válido
      `,
    },
    {
      kind: 'forget',
      position: 'asked',
      object: 'needed',
      phrases: `
        olvidar|olvidarte|olvides|borrar|eliminar lo? de|del? ! cosas
        olvidar|olvides lo que te? dije|conté sobre|de|del
        borrar|eliminar ... de tu memoria
        borrar|eliminar todo? lo que sabes sobre|de|del
      `,
    },
    {
      kind: 'forget',
      position: 'command',
      object: 'back',
      phrases: `
        olvida|ignora lo que acabo|acabamos de decir|decirte|escribir
        olvida|ignora lo que te? dije|he dicho? > .
        olvida|ignora mi último|anterior mensaje
        olvida eso|esto > .
        eso|esto ya no es relevante
        ya no es relevante > .
        tacha eso > .
      `,
    },
    {
      kind: 'reflect',
      position: 'command',
      object: 'needed',
      phrases: `
        reflexiona|reflexione|reflexionemos sobre|acerca de|del? ! tu respuesta|código
      `,
    },
    {
      kind: 'reflect',
      position: 'command',
      object: 'optional',
      phrases: `
        repasa|ordena|limpia|revisa|consolida|organiza todos? tu|tus recuerdos|memoria|memorias|notas sobre|de|del?
        haz una reflexión|consolidación sobre|de?
      `,
    },
    {
      kind: 'reflect',
      position: 'asked',
      object: 'optional',
      phrases:
        'repasar|ordenar|limpiar|revisar|consolidar|organizar tu|tus recuerdos|memoria|memorias|notas sobre|de|del?',
    },
  ],
  leadIns: `
    hola|oye|ok|vale|bueno|y|también|pero|entonces|ahora|además|sí|no|gracias|primero|segundo|tercero|finalmente|pues|mira|ah|solo|siempre|perfecto|genial|espera
    por favor
    hola|oye *
    porfa
    por cierto
    una cosa más
    otra cosa
    claude|gpt|chatgpt|asistente|mneme|copilot|gemini
    debes|deberías|tienes que?
    asegúrate de
    definitivamente|permanentemente
  `,
  asks: `
    puedes|podrías|podés|puede|podría por? favor? usted?
    quiero|quisiera|necesito|me|te gustaría|pido? que tú? por? favor?
    serías|tan amable de
  `,
  conjunctions: 'y e pero luego o',
  subjects: 'yo él ella ellos nosotros quien mi su gente alguien nadie para me dijo dice debería como por',
  firstPerson: 'yo me mi mis conmigo nosotros nos nuestro nuestra soy tengo',
  sayVerbs: `dijo dice decía decir dicho escribió escribe pidió pide gritó grita canta cantó cantaba respondió preguntó susurró
    advirtió recordó contó lema digo`,
  fillers: 'también siempre porfa bien',
  permanence:
    'para siempre\npermanentemente\ndefinitivamente\nde forma permanente\nde una vez por todas\nde manera definitiva',
  not: 'no sin',
  pronouns: 'esto eso lo ello siguiente',
  complementisers: 'que de del',
  generic: 'cosas algo nombres datos conversaciones todo cosa',
  openers: 'yo ya es era lo la el está mejor usa porque pues no al fue hemos',
  nostalgia: 'día días verano veranos invierno noche noches tiempo tiempos infancia escuela vacaciones niños época',
  determiners: 'el la los las aquel aquella aquellos ese esa de viejos buenos primer en',
  textNouns: `poema canción letra cuento historia comentario párrafo frase correo carta texto título titular artículo guion
    diálogo escena discurso ensayo cita documentación novela libro capítulo cartel prompt docstring página documento`,
  machineNouns: 'log logs salida error errores traza configuración',
  transformVerbs: 'traduce traducir traduzca corrige reescribe resume parafrasea revisa',
  rolePlay: 'juego de rol\njuguemos a\nfinge que\nimagina que eres',
  creationVerbs: 'escribe escribir añade agrega pon redacta crea compón dice',
  memoryVerbs: 'recuerda guarda olvida apunta anota',
  mailMarks: 'escribió',
};
