// The workload in promptfoo: a provider that holds the consultations of a sample, and an assertion that asks the judge.
// Its simulated user asks the maker's own server, so that a small provider plays one, as the documentation shows.

const fs = require('node:fs');
const parts = `file://${__dirname}/promptfoo_parts.cjs`;

module.exports = {
  description: 'consultations',
  prompts: ['{{needs}}'],
  providers: [parts],
  defaultTest: { assert: [{ type: 'javascript', value: `${parts}:compared` }] },
  tests: fs
    .readFileSync('samples.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ vars: JSON.parse(line) })),
};
