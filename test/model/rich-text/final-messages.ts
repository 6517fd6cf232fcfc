// Sixty last messages as agents write them, each with what a summary must keep of its beginning and of its end.
const steps = (count: number, what: string): string =>
  Array.from({ length: count }, (_, index) => `${index + 1}. ${what} ${index + 1}`).join("\n");
const bullets = (count: number, what: string): string =>
  Array.from({ length: count }, (_, index) => `- ${what} ${index + 1}`).join("\n");
const filler =
  "The change touches the cart, the checkout and the mailer, and every test in those folders still passes. ";
const long = filler.repeat(4).trim();

export interface FinalMessage {
  text: string;
  first: string;
  last: string;
}

const message = (text: string, first: string, last: string): FinalMessage => ({ text, first, last });

export const finalMessages: readonly FinalMessage[] = [
  // A question at the end.
  message(
    `I fixed the login redirect. ${long}\n\nShall I commit it?`,
    "I fixed the login redirect.",
    "Shall I commit it?",
  ),
  message(
    `## Done\n\nThe tests pass. ${long}\n\nWould you like me to open a pull request?`,
    "The tests pass.",
    "Would you like me to open a pull request?",
  ),
  message(`All 214 tests pass now. ${long} Should I push to \`main\`?`, "All 214 tests pass now.", "Should I push to"),
  message(`Ready. ${long}\n\n**Do you want to proceed?**`, "Ready.", "**Do you want to proceed?**"),
  message(
    `I need a decision. ${long}\n\nKeep the old API or remove it?`,
    "I need a decision.",
    "Keep the old API or remove it?",
  ),
  message(
    `The migration is written. ${long}\n\nOne question before I run it: is the staging database safe to drop?`,
    "The migration is written.",
    "is the staging database safe to drop?",
  ),
  message(
    `I have a plan. ${long}\n\nWhich option do you prefer?\n\n1. Rewrite the parser\n2. Patch the lexer\n3. Leave it`,
    "I have a plan.",
    "3. Leave it",
  ),
  message(
    `The build is broken. ${long}\n\nHow should I go on?\n- revert the last commit\n- fix the types`,
    "The build is broken.",
    "- fix the types",
  ),
  message(`Refactored \`UserService\`. ${long}\n\nAnything else?`, "Refactored", "Anything else?"),
  message(`I stopped. ${long}\n\nMay I delete \`node_modules/\`? (It is 1.2 GB.)`, "I stopped.", "May I delete"),
  // No question: the last paragraph.
  message(
    `I added dark mode. ${long}\n\nRestart the dev server to see it.`,
    "I added dark mode.",
    "Restart the dev server to see it.",
  ),
  message(
    `The release notes are written. ${long}\n\nNothing is committed yet.`,
    "The release notes are written.",
    "Nothing is committed yet.",
  ),
  message(
    `Upgraded to Node 24. ${long}\n\n---\n\nThe CI needs the same version.`,
    "Upgraded to Node 24.",
    "The CI needs the same version.",
  ),
  message(
    `Deployed. ${long}\n\nRoll back with \`make rollback\` if errors rise.`,
    "Deployed.",
    "Roll back with `make rollback`",
  ),
  message(
    `No bug here. ${long}\n\nThe log line comes from the proxy.`,
    "No bug here.",
    "The log line comes from the proxy.",
  ),
  message(
    `Analysis complete. ${long}\n\nIn short: the index is missing, and adding it makes the query 40 times faster.`,
    "Analysis complete.",
    "adding it makes the query 40 times faster.",
  ),
  message(`Hi! I looked at the failing job. ${long}\n\nLet me know how it goes.`, "Hi!", "Let me know how it goes."),
  // Headings and lists.
  message(
    `# Summary\n\n## What I did\n\n${bullets(20, "Changed file")}\n\n## Next\n\nPlease review the diff.`,
    "Changed file 1",
    "Please review the diff.",
  ),
  message(
    `### Changes\n\n- **Cart**: totals are rounded\n- **Mail**: new template\n${bullets(30, "More")}\n\nReady to merge?`,
    "**Cart**: totals are rounded",
    "Ready to merge?",
  ),
  message(`Done:\n\n${steps(25, "Step")}\n\nAll steps succeeded.`, "Done:", "All steps succeeded."),
  message(`Here is the list.\n\n${bullets(40, "item")}`, "Here is the list.", "item 1"),
  message(
    `I checked three things:\n\n1. **Types**\n   - strict mode is on\n   - no \`any\`\n2. **Lint**\n   - clean\n3. **Tests**\n   - ${filler}${filler}\n\nWhat should I check next?`,
    "I checked three things:",
    "What should I check next?",
  ),
  message(
    `- [x] write the parser\n- [x] add tests\n- [ ] update the docs\n${bullets(40, "later")}\n\nShould I update the docs now?`,
    "write the parser",
    "Should I update the docs now?",
  ),
  message(
    `Files:\n\n* \`src/a.ts\`\n* \`src/b.ts\`\n${bullets(20, "and file")}\n\nThat is all.`,
    "Files:",
    "That is all.",
  ),
  // Code.
  message(
    `The bug is in the loop:\n\n\`\`\`ts\nfor (let i = 0; i <= list.length; i++) {\n  total += list[i].price;\n}\n\`\`\`\n\n${long}\n\nI changed \`<=\` to \`<\`.`,
    "The bug is in the loop:",
    "I changed `<=` to `<`.",
  ),
  message(
    `Run this to reproduce it.\n\n\`\`\`sh\n${"npm test -- --watch\n".repeat(30)}\`\`\`\n\nDoes it fail on your machine, too?`,
    "Run this to reproduce it.",
    "Does it fail on your machine, too?",
  ),
  message(
    `I wrote the script. ${long}\n\nTo run it:\n\n\`\`\`sh\n./deploy.sh --dry-run\n\`\`\``,
    "I wrote the script.",
    "To run it:",
  ),
  message(
    `\`\`\`diff\n-const a = 1;\n+const a = 2;\n\`\`\`\n\nThe constant was wrong. ${long}\n\nOK to apply?`,
    "const a = 1;",
    "OK to apply?",
  ),
  message(`    indented code\n\nThat is the output. ${long}\n\nIt looks right.`, "indented code", "It looks right."),
  message(
    `Use \`git rebase -i HEAD~3\`. ${long}\n\nSquash the last two.`,
    "Use `git rebase -i HEAD~3`.",
    "Squash the last two.",
  ),
  // Tables.
  message(
    `Benchmarks are in.\n\n| case | before | after |\n| --- | ---: | ---: |\n| cold | 110 ms | 70 ms |\n| warm | 12 ms | 9 ms |\n\n${long}\n\nIs that fast enough?`,
    "Benchmarks are in.",
    "Is that fast enough?",
  ),
  message(
    `| file | lines |\n| --- | --- |\n${Array.from({ length: 30 }, (_, index) => `| src/file-${index}.ts | ${index} |`).join("\n")}\n\nThe largest is \`file-29.ts\`.`,
    "file",
    "The largest is `file-29.ts`.",
  ),
  // Links.
  message(
    `See [the pull request](https://github.example/pull/7). ${long}\n\nReviewers are assigned.`,
    "[the pull request](https://github.example/pull/7)",
    "Reviewers are assigned.",
  ),
  message(
    `The preview is at https://preview.example/build/812. ${long}\n\nDoes it look right to you?`,
    "https://preview.example/build/812",
    "Does it look right to you?",
  ),
  message(`![chart](https://img.example/c.png)\n\nTraffic doubled. ${long}\n\nScale up?`, "chart", "Scale up?"),
  // Quotes.
  message(
    `> TypeError: x is undefined\n\nThat was the error. ${long}\n\nIt is gone now.`,
    "TypeError: x is undefined",
    "It is gone now.",
  ),
  message(`You asked:\n\n> Why is it slow?\n\n${long}\n\nThe cache was off.`, "You asked:", "The cache was off."),
  // Other languages.
  message(
    `我已经修复了登录问题。${"所有相关的测试都已通过，代码也已经过检查。".repeat(20)}\n\n要我提交这些更改吗？`,
    "我已经修复了登录问题。",
    "要我提交这些更改吗？",
  ),
  message(
    `已完成重构。${"每个模块都有自己的测试。".repeat(30)}需要我继续优化性能吗？`,
    "已完成重构。",
    "需要我继续优化性能吗？",
  ),
  message(
    `ビルドが成功しました。${"テストはすべて通りました。".repeat(30)}\n\nデプロイしますか？`,
    "ビルドが成功しました。",
    "デプロイしますか？",
  ),
  message(
    `테스트가 모두 통과했습니다. ${"변경 사항을 검토했습니다. ".repeat(30)}\n\n커밋할까요?`,
    "테스트가 모두 통과했습니다.",
    "커밋할까요?",
  ),
  message(
    `Ich habe den Fehler behoben. ${"Alle Tests laufen durch, auch die langsamen. ".repeat(10)}\n\nSoll ich das jetzt committen?`,
    "Ich habe den Fehler behoben.",
    "Soll ich das jetzt committen?",
  ),
  message(
    `¡Listo! ${"Todas las pruebas pasan y no hay advertencias. ".repeat(10)}\n\n¿Quieres que lo suba?`,
    "¡Listo!",
    "¿Quieres que lo suba?",
  ),
  message(
    `Готово. ${"Все тесты проходят без ошибок. ".repeat(14)}\n\nОтправить изменения?`,
    "Готово.",
    "Отправить изменения?",
  ),
  message(
    `تم الإصلاح. ${"جميع الاختبارات ناجحة الآن. ".repeat(14)}\n\nهل أحفظ التغييرات؟`,
    "تم الإصلاح.",
    "هل أحفظ التغييرات؟",
  ),
  // Emoji and signs.
  message(`✅ Tests are green! ${long}\n\n🚀 Ship it?`, "✅ Tests are green!", "🚀 Ship it?"),
  message(`🎉 **Done!** ${long}\n\nShall I celebrate? 🎈`, "🎉 **Done!**", "Shall I celebrate? 🎈"),
  message(`${"👩‍👩‍👧‍👦".repeat(3)} families work. ${long}\n\nOk? 👍🏽`, "families work.", "Ok? 👍🏽"),
  message(`Price is $5 < $6 & rising. ${long}\n\nIs "5 > 4" right?`, "Price is $5", 'Is "5 > 4" right?'),
  message(
    `snake_case_name and __init__.py and 2*3*4 stay. ${long}\n\nRename \`_id\`?`,
    "snake_case_name",
    "Rename `_id`?",
  ),
  message(`v1.2.3 is out, e.g. on npm. ${long}\n\nUpgrade now?`, "v1.2.3 is out", "Upgrade now?"),
  // Unusual forms.
  message(`What went wrong? ${long}\n\nThe token had expired.`, "What went wrong?", "The token had expired."),
  message(`Is it the cache? Is it the database? ${long}\n\nIt was DNS.`, "Is it the cache?", "It was DNS."),
  message(long, "The change touches the cart", "still passes."),
  message(`One line without an end ${"word ".repeat(200)}`, "One line without an end", "word"),
  message(`${"a".repeat(2000)}\n\nToo long a word?`, "aaaa", "Too long a word?"),
  message(
    `Done.\n\n${long}\n\n${long} And so on. Should I also update the changelog for the release of next week?`,
    "Done.",
    "Should I also update the changelog",
  ),
  message(
    `I could not finish. ${long}\n\nThe API answered 401: is the key in \`.env\` still valid, or do you want me to use the one from the vault instead?`,
    "I could not finish.",
    "is the key in `.env` still valid",
  ),
  message(
    `<details>\n<summary>Log</summary>\n\n${bullets(40, "line")}\n\n</details>\n\nNothing to do.`,
    "Log",
    "Nothing to do.",
  ),
  message(
    `**Result:** *3 of 4* checks pass; ~~lint~~ is skipped. ${long}\n\n**Open:** who owns \`legacy/\`?`,
    "**Result:** *3 of 4* checks pass",
    "who owns `legacy/`?",
  ),
];
