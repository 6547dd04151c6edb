// Provider and assertion of promptfoo_config.cjs. BASE_URL says where the models are, IN_FLIGHT how many calls may be open.

const fs = require('node:fs');
const path = require('node:path');

const { end, role, judge } = JSON.parse(fs.readFileSync(path.join(__dirname, 'prompts.json'), 'utf8'));
const OTHER = { user: 'assistant', assistant: 'user' };
let places = Number(process.env.IN_FLIGHT);
const waiting = [];

async function taken() {
  if (places > 0) places -= 1;
  else await new Promise((go) => waiting.push(go));
}

function left() {
  const next = waiting.shift();
  if (next) next();
  else places += 1;
}

async function ask(model, messages) {
  await taken();
  try {
    const answer = await fetch(`${process.env.BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer none' },
      body: JSON.stringify({ model, messages }),
    });
    return (await answer.json()).choices[0].message.content;
  } finally {
    left();
  }
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

async function consult(assistant, row) {
  const opening = { role: 'user', content: filled(role, row) };
  const turns = [];
  for (let exchange = 0; exchange < 3; exchange += 1) {
    const swapped = turns.map((turn) => ({ role: OTHER[turn.role], content: turn.content }));
    const said = await ask('sim', [opening, ...swapped]);
    if (said.includes(end)) break;
    turns.push({ role: 'user', content: said });
    turns.push({ role: 'assistant', content: await ask(assistant, turns) });
  }
  return turns.map((turn) => `${turn.role}: ${turn.content}`).join('\n');
}

class Consultations {
  id() {
    return 'consultations';
  }

  async callApi(_prompt, context) {
    return { output: await Promise.all(['slow-a', 'slow-b'].map((name) => consult(name, context.vars))) };
  }
}

async function compared(output, context) {
  const [one, other] = typeof output === 'string' ? JSON.parse(output) : output;
  const orders = [[one, other], [other, one]];
  const verdicts = await Promise.all(
    orders.map(([first, second]) =>
      ask('judge', [{ role: 'user', content: filled(judge, { guidance: context.vars.guidance, first, second }) }])),
  );
  const score = verdicts.filter((verdict) => verdict.includes('[[1]]')).length / 2;
  return { pass: true, score, reason: verdicts.join('\n') };
}

module.exports = Consultations;
module.exports.compared = compared;
