// The second half: the candidate answers, and an assertion asks the judge about both answers.
const fs = require('node:fs');

const JUDGE = fs.readFileSync('judge.txt', 'utf8');
const POINTS = { '[[1]]': 1, '[[2]]': 0, '[[3]]': 0.5 };
const base = JSON.parse(fs.readFileSync('base.json', 'utf8')).results.results;

async function asked(guidance, first, second) {
  const content = JUDGE.replace('{guidance}', () => guidance).replace('{first}', () => first).replace('{second}', () => second);
  const answer = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'judge', messages: [{ role: 'user', content }] }),
  });
  return POINTS[(await answer.json()).choices[0].message.content.slice(-5)];
}

async function compared(output, { vars }) {
  const orders = [0, 1, 2].flatMap(() => [asked(vars.guidance, output, vars.opponent), asked(vars.guidance, vars.opponent, output)]);
  const said = await Promise.all(orders);
  const score = said.reduce((sum, one, place) => sum + (place % 2 ? 1 - one : one), 0) / 6;
  return { pass: score >= 0.5, score, reason: `${score}` };
}

module.exports = {
  prompts: ['{{question}}'],
  providers: ['openai:chat:weak-b'],
  defaultTest: { assert: [{ type: 'javascript', value: compared, metric: 'win_rate' }] },
  tests: base.map((row) => ({ vars: { ...row.vars, opponent: row.response.output } })),
};
