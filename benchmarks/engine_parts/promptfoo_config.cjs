// The workload in promptfoo: a provider that holds the consultations of a sample, and an assertion that asks the judge.
// A small provider of our own plays the simulated user, so that its calls go to the same local server as all others.

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
