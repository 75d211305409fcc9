/** Texts of many kinds, for comparing an estimate with real vocabularies. */
export const SAMPLES: Readonly<Record<string, string>> = {
  prose:
    'We moved the release to Tuesday because the payment provider freezes its interface over the weekend. Mara will ' +
    'write to the customers on Monday, and if nobody objects by noon the old endpoints are switched off. I still think ' +
    'that two weeks of notice would have been kinder, but the contract only asks for one, and everybody who depends on ' +
    'them has been told twice already.',
  chat:
    'Hey Sam! Long time no see, how was the trip? Oh wow, that sounds amazing!! I finally finished the pottery class, ' +
    "it's been such a ride haha. We should grab coffee sometime, maybe Thursday? Lemme know :)",
  markdown:
    '## Critical Facts\n\n- **Port**: the cache listens on `6380`, the queue on `6381` ^7k2m9x0q4t1za\n- [ ] rotate the ' +
    'keys (due: 2026-03-14)\n- See [[project--route-merger]] and `docs/deploy.md#rollback`\n\n| slot | tokens |\n|---|---|\n' +
    '| P0 | 1,024 |\n| P1 | 4,096 |',
  code:
    'export function mergeIntervals(intervals: readonly Interval[]): Interval[] {\n  const sorted = [...intervals].sort((a, b) ' +
    '=> a.start - b.start);\n  const merged: Interval[] = [];\n  for (const { start, end } of sorted) {\n    const last = merged.at(-1);\n' +
    '    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);\n    else merged.push({ start, end });\n  }\n' +
    '  return merged;\n}',
  log:
    '2026-03-02T09:14:07.331Z ERROR [worker-3] ECONNREFUSED 10.0.4.17:5432 pg_stat_activity wait_event=ClientRead\n' +
    '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)\nsha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n' +
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  shouting:
    "SELECT ID, CUSTOMER_NUMBER FROM INVOICES WHERE STATUS = 'OVERDUE' AND DUNNING_LEVEL > 2 ORDER BY DUE_DATE DESC;",
  names:
    'Przybylski, Wojciechowska, Nguyen Thi Minh Khai, Oluwaseun Adebayo, Szczepanik, Krzysztof, Anneliese Obermüller, ' +
    'Jóhannsdóttir, Papadopoulos, Venkataraghavan, Tchaikovsky, Llanfairpwllgwyngyll',
  german:
    'Die Rechnungsprüfung verschiebt sich auf Donnerstag, weil die Buchhaltung den Jahresabschluss noch nicht freigegeben ' +
    'hat. Bitte schicke die Änderungsvorschläge bis spätestens Mittwochabend an Jürgen, damit die Geschäftsführung sie ' +
    'vor der Gesellschafterversammlung durchsehen kann. Die Lieferantenverträge bleiben vorerst unverändert.',
  germanPlain:
    'Morgen fahren wir mit dem Zug nach Hamburg und schauen uns die Speicherstadt an. Das Hotel liegt direkt am Hafen, ' +
    'Abendessen gibt es gegen acht. Vergiss bitte die Eintrittskarten nicht, sonst warten wir wieder eine Stunde.',
  french:
    'Le déploiement est reporté à jeudi parce que l’équipe de sécurité n’a pas encore validé les nouvelles règles du ' +
    'pare-feu. Merci de prévenir les clients concernés et de garder l’ancien serveur allumé jusqu’à vendredi soir.',
  spanish:
    'La reunión con el proveedor se aplazó hasta el miércoles porque todavía faltan los presupuestos. Hay que comprobar ' +
    'las direcciones antes de imprimir las etiquetas, y avisar al almacén de que llegarán dos camiones más.',
  polish:
    'Zamówienie zostało przesunięte na przyszły tydzień, ponieważ magazyn nie potwierdził jeszcze dostawy. Proszę sprawdzić ' +
    'numery faktur i dać znać, czy wszystkie zgadzają się z umową.',
  finnish:
    'Kokous siirrettiin torstaille, koska toimittajan tarjous ei ole vielä valmis. Tarkistakaa varastotilanne ennen ' +
    'perjantaita ja ilmoittakaa mahdollisista myöhästymisistä.',
  turkish:
    'Toplantı perşembe gününe ertelendi çünkü tedarikçinin teklifi henüz hazır değil. Lütfen adresleri yazdırmadan önce ' +
    'kontrol edin ve depoya iki kamyon daha geleceğini bildirin.',
  russian:
    'Релиз перенесли на вторник, потому что поставщик платежей закрывает доступ на выходные. Если до полудня никто не ' +
    'возразит, старые адреса будут отключены. Пожалуйста, предупредите клиентов заранее.',
  greek:
    'Η συνάντηση μεταφέρθηκε για την Πέμπτη επειδή ο προμηθευτής δεν έχει στείλει ακόμη την προσφορά. Ελέγξτε τις ' +
    'διευθύνσεις πριν τυπώσετε τις ετικέτες.',
  arabic:
    'تم تأجيل الاجتماع إلى يوم الخميس لأن المورد لم يرسل العرض بعد. يرجى مراجعة العناوين قبل طباعة الملصقات وإبلاغ المخزن.',
  hindi: 'बैठक गुरुवार तक टाल दी गई है क्योंकि आपूर्तिकर्ता का प्रस्ताव अभी तैयार नहीं है। कृपया लेबल छापने से पहले पते जाँच लें।',
  chinese:
    '由于供应商还没有发来报价，会议改到星期四举行。请在打印标签之前核对所有地址，并通知仓库还有两辆卡车要来。旧服务器保留到星期五晚上。',
  japanese:
    'サプライヤーの見積もりがまだ届いていないため、会議は木曜日に延期されました。ラベルを印刷する前に住所を確認し、倉庫にトラックがあと二台来ることを伝えてください。',
  korean:
    '공급업체의 견적이 아직 준비되지 않아 회의가 목요일로 연기되었습니다. 라벨을 인쇄하기 전에 주소를 확인하고 창고에 트럭 두 대가 더 온다고 알려 주세요.',
  thai: 'การประชุมเลื่อนไปเป็นวันพฤหัสบดีเพราะผู้ขายยังไม่ได้ส่งใบเสนอราคา กรุณาตรวจสอบที่อยู่ก่อนพิมพ์ฉลาก',
  emoji: '🎉🎉 Shipped it! 🚀 👩‍💻👨‍👩‍👧‍👦 thanks team ❤️🙏🏽 see you Monday 🏖️☀️ 🇩🇪🇯🇵 ✅ ❌ ➡️ 🤷‍♀️',
  signs: '— “quoted” … ± 3 × 4 ≤ 12 · § 5 € 30 → ok; √2 ≈ 1.414 (½ + ¼) ™ © ° µ ∑∂∆ ─── ░▒▓ ♠♣♥',
  mixed:
    '- [2026-03-02 · ses_4kq0#t5-t6 · user] Mara: Der Cache läuft auf 6380 (statt 6379) 🙈, siehe `config/cache.yaml`; 谢谢！\n' +
    ' agent: Verstanden, I will keep them apart. → PR #1284',
};
