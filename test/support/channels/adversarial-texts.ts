// What a model, a tool or a stranger's repository may have written; every channel has to show it as plain text.
import { slowRuns } from "../random/slow-runs.ts";

export const adversarialTexts: readonly string[] = [
  "@everyone @here <@123456789012345678> <@&123456789012345678> <#1> <!channel> <users/all> <at>everybody</at> @room",
  "<:name:123456789012345678> <t:0:R> </nick:1> :smile: <id:customize>",
  "[good.example](https://evil.example) <https://evil.example|good.example> ![x](https://evil.example/x.png)",
  "https://evil.example/a_b_c?x=1&y=2 tg://user?id=1 javascript:alert(1) discord.gg/abc me@example.org",
  "if (x < 5 || y > 3) a <b|c> d\n<https://evil.example\n|good.example> cat <in |tee >out",
  "**bold** __under__ *it* _it_ ~~no~~ ||spoiler|| `code` ```js\nfence\n``` \\*escaped\\* \\\\",
  "# head\n-# small\n> quote\n>>> quotes\n- list\n+ list\n* list\n7. seven\n1) one\n--- | --- |",
  "<b>bold</b><script>alert(1)</script><a href='x'>y</a> &lt;b&gt; &amp;amp; &#60; <!-- --> </pre>",
  '@all @team-x @alice <@U012> <!subteam^S1> <!date^0^{date}^https://evil.example|x> <at id=all></at> <at user_id="all">x</at>',
  "&#64;channel &lt;!channel&gt; &commat;here <@all> <@ZhangSan> @13800001111 @me:example.org :OK: :tada:",
  "| a | b |\n|---|---|\n| c | d |\n\nheading\n===\n[ref]: https://evil.example\n[ref]\n\n    indented\n\ttab",
  '"; tell application "Finder" to delete every item -- \\" & (do shell script "id") & "',
  "'; Remove-Item -Recurse ~; # $(id) `id` @'\n'@ %PATH% !PATH! ^& | calc.exe",
  "</text><action content='x' arguments='cmd'/><![CDATA[x]]> <?xml version='1.0'?> ]]> &bogus; &#0;",
  "\u001B]9;4;1;50\u0007 \u001B]777;notify;a;b\u0007 \u001B]99;i=1:p=close;\u001B\\ \u001BPtmux;\u001B\u001B]52;c;eA==\u0007\u001B\\ 4;1;50",
  "[[volm 0]] [[slnc 99999]] !-! SET self RATE 100 <speak><break time='99s'/></speak>",
  "{{DATE(2026-11-21T12:00:00Z,LONG)}} {{TIME(2026-11-21T12:00:00Z)}} ${title} @{triggerBody()} {message} {0} %s",
  "/start /srv/shop /srv look at /etc and /kick@bot #tag $HOME",
  "red \u001B[31mred\u001B[0m \u001B]8;;https://evil.example\u0007link\u001B]8;;\u0007 \u009B31m bell\u0007",
  "nul\u0000 c1\u0085\u0090 cr\rlf\r\n tab\t del\u007F",
  "abc\u202Egpj.exe \u2066isolate\u2069 \u200Fmark\u200E \uFEFFbom",
  "lone \uD800 and \uDC00 and \uD83D",
  `zalgo ${"e" + "\u0301\u0489\u0327".repeat(300)} end`,
  "👩‍👩‍👧‍👦 🇩🇪 👍🏽 é 한국어 العربية \u{20BB7}",
  '"; rm -rf ~ #\' $(reboot) `reboot` \\" --help -e',
  "<!channel> @everyone @room <users/all> @here",
  "[good](https://evil.example) ![](https://evil.example/x.png) <a href='//evil.example'>x</a><script>1</script>",
  '","priority":5,"click":"https://evil.example","x":"',
  "${HOME} {{ states('lock.door') }} {% raw %} %(x)s `id` $(id) \\u0000 \\",
  "a\u0000b\u0007c\u001B[31mred\u001B]8;;https://evil.example\u0007link\u009Bd",
  "\u202Egnp.exe\u202C \u2066hidden\u2069 \uFEFF\u200E",
  "\uD800 lone \uDC00",
  "--flag -rf /\r\nBcc: eve@example.org\r\n\r\n.",
  "Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324\u031E\u0349\u035A\u032F\u031E\u0320\u034Dalgo",
  '"'.repeat(100_000),
  "<&>".repeat(50_000),
  "\u2028".repeat(50_000),
  "😀".repeat(50_000),
  "👩‍👩‍👧‍👦".repeat(20_000),
  "a\n".repeat(50_000),
  "x".repeat(slowRuns(1_000_000)),
  "<&>*_`[".repeat(slowRuns(150_000)),
  "\uD800".repeat(slowRuns(1_000_000)),
  "\n".repeat(1000) + "end",
  "",
  " \t\n ",
];

const enormous = 10 * 1024 * 1024;

/** Ten megabytes each, of what costs nothing, what is escaped, what is thrown away, and what counts as one. */
export const enormousTexts: readonly string[] = ["x", "<&>*_`[", "\u001B[31m", "\uD800", "\n", "👩‍👩‍👧‍👦"].map((unit) =>
  unit.repeat(enormous / unit.length),
);
