// Reads paths of HTML files, one a line, and writes what the HTML standard has against them: a JSON array of
// [path, line, rule, message].
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(new URL("../hosts/package.json", import.meta.url));
const { HtmlValidate, StaticConfigLoader } = require("html-validate");

// What is known of HTML's elements is put together once, not for each page.
class Loader extends StaticConfigLoader {
  getConfigFor(path) {
    return (this.known ??= super.getConfigFor(path));
  }
}

const judge = new HtmlValidate(new Loader({ root: true, extends: ["html-validate:standard"] }));
const found = [];
for (const path of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const report = judge.validateStringSync(readFileSync(path, "utf8"), path);
  for (const { messages } of report.results) {
    for (const { line, ruleId, message } of messages) found.push([path, line, ruleId, message]);
  }
}
process.stdout.write(JSON.stringify(found));
