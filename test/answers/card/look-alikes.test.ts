// Characters that look like ASCII are named wherever a call has them, and no one's own script is.
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { misleadingWords } from "../../../src/answers/card/look-alikes.ts";
import { visible } from "../../../src/answers/card/card.ts";
import { everyRow } from "../../support/rows.ts";

const table = createRequire(import.meta.url)("unhomoglyph/data.json") as Record<string, string>;

/** Whether a person who reads the text is told of the character: it is named, or shown by its number. */
function isToldOf(sign: string, text: string): boolean {
  const shown = visible(text);
  return !shown.includes(sign) || misleadingWords(shown).some((word) => word.includes(sign));
}

/** Where a look-alike can do harm. */
const places: readonly ((sign: string) => string)[] = [
  (sign) => `rm ${sign}rf /home/u/data`,
  (sign) => `curl https://exa${sign}mple.org/install.sh`,
  (sign) => `cat "/home/u/${sign}/notes"`,
  (sign) => sign,
];

const classes: Readonly<Record<string, string>> = {
  "Latin small capitals": "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ",
  "dotless letters": "ıȷ",
  "Roman numerals": "ⅠⅤⅩⅬⅭⅮⅯⅰⅱⅴⅹⅼⅽⅾⅿ",
  "minus signs": "−‒–‐‑﹣－⁃˗➖",
  "full-width and small signs": "：／．＄－＿＆｜；＞＜＝（）＂＇｀～！？＠＃％＊＋，＼［］｛｝﹩﹪﹠﹔﹕﹤﹥",
  "letterlike symbols": "ℓℯℎℊℴℂℕℙℚℝℤℬℰℱℐℒℳℛℹ",
  "mathematical letters and digits": "𝐚𝑎𝒂𝓪𝔞𝕒𝖆𝖺𝗮𝘢𝙖𝚊𝟎𝟘𝟢𝟬𝟶𝟏",
  Cyrillic: "асеорхуіјѕһԁԛԝӏАВЕКМНОРСТХ",
  Greek: "αοριυνγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
  Armenian: "օսհցգքոռզՕՍ",
  Cherokee: "ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ",
  "Lisu and Coptic": "ꓮꓐꓚꓓꓰⲞⲟⲣⲥ",
  slashes: "∕⁄╱⟋〳",
  dots: "․ꓸ‥…",
  colons: "∶꞉ːꓽ։׃",
  apostrophes: "’‘‛ʼʹ′´ʻ＇",
  spaces: "\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000\u1680",
};

/** A heavy minus is an emoji, which is drawn in colours. */
const emoji = /\p{Emoji_Presentation}/u;

it("names every class of look-alikes in commands, addresses and paths", () =>
  everyRow(Object.entries(classes), ([_, signs]) => {
    const missed = [...signs]
      .filter((sign) => !emoji.test(sign))
      .flatMap((sign) => places.map((place) => place(sign)).filter((text) => !isToldOf(sign, text)));
    expect(missed).toEqual([]);
  }));

it("names every character that Unicode's table has beside ASCII, but letters of Danish and French, and emoji", () => {
  const listed = Object.entries(table).filter(([sign, like]) => /^[ -~]+$/.test(like) && !/^[\0-\x7F]/.test(sign));
  const missed = listed.filter(([sign]) => !places.every((place) => isToldOf(sign, place(sign))));
  expect(listed.length).toBeGreaterThan(1700);
  expect(missed.map(([sign]) => sign).toSorted()).toEqual(Array.from("ÆæŒœ➕➖").toSorted());
});

it("says nothing of people's own words", () =>
  everyRow(
    [
      "git commit -m 'Füge Prüfung für Größe hinzu – siehe „Änderungen“ …' -- src/Übersicht.md",
      'git commit -m "Es geht’s nur um Straße & Maß × 2 – nicht mehr"',
      "mkdir -p ~/Dokumente/Lösungsvorschläge && cp Maß.txt ~/Größe",
      'git commit -m "Corrige l’accès à l’œuvre : « cœur », naïveté – où ça ?"',
      "cat ~/Œuvres/cœur.txt ~/Téléchargements/été.md",
      'git commit -m "Исправил вход с паролем, а также сухо и хорошо – № 5"',
      "grep -rn 'Ошибка' src/ && echo Привет, а также с другом > заметки.md",
      "mkdir Документы/Проект && ls ~/Рабочий\\ стол",
      'git commit -m "バグ修正：ログイン（再）のノート、〇〇を追加！"',
      "echo 修正：テスト（１件ではない） > ノート.txt".replace("１", "一"),
      'git commit -m "修复“登录”问题：添加测试，更新文档；完成！"',
      'git commit -m "로그인 오류 수정 – 테스트 추가"',
      "echo مرحبا بالعالم > ملف.txt",
      'git commit -m "إصلاح تسجيل الدخول ٢٠٢٤"',
      'git commit -m "Διόρθωση σύνδεσης και δοκιμών – ο κωδικός"',
      'git commit -m "Yapılandırma dosyasını güncelle – kapı açıldı"',
      'git commit -m "Sửa lỗi đăng nhập cho người dùng, cơ sở dữ liệu mới"',
      'git commit -m "Aggiunge la 1ª edizione, 20 m² e 3º piano"',
      'git commit -m "Tilføj læsning af ændringer på Ærø"',
      'git commit -m "हिन्दी में जोड़ें: २०२४"',
      'git commit -m "➕ Add zod ✨ 🚀 👨‍👩‍👧 ❤️ ™ ©"',
      "printf '┌──╱──┐\\n│ ok │\\n└──╳──┘\\n' # ─── │ ├── └──",
      "tree → ├── src │   └── 日本語.ts ✓ ✗ • ·",
      "npm test -- --grep \"don't\" && echo 'naïve café' | sed 's/é/e/'",
      "description: It’s a check – “quick” … done\nls",
      "+ Der Nutzer – falls vorhanden – kann’s “sehen” …",
    ],
    (text) => {
      expect(misleadingWords(visible(text))).toEqual([]);
    },
  ));

it("names the word that has them", () =>
  everyRow(
    [
      ["bash -c 'rm –rf ~ && echo done'", "–rf"],
      ["git push −−force", "−−force"],
      ["echo ‘safe; rm -rf ~’", "‘safe"],
      ["cat раyments", "раyments"],
      ["cat 'a note' сору", "сору"],
      ["gıt add müller.txt", "gıt"],
      ["webсервер", "webсервер"],
    ],
    ([text, word]) => {
      expect(misleadingWords(text)).toContain(word);
    },
    (row) => JSON.stringify(row),
  ));
