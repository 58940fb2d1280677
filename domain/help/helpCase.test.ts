import { describe, expect, test } from 'vitest'
import { aBooking, NOON } from '../testing/builders'
import { DAY_MS } from '../language/timeUnits'
import { answerHelp, askHelp, findHelpRepeat, type HelpCase, isHelpOpen } from './helpCase'

const ended = aBooking({ status: 'COMPLETE', endTime: NOON })
const question = (n: number) => ({
  id: `q${n}`,
  topic: 'lost_item' as const,
  text: 'My umbrella',
  at: NOON + n,
})
const ask = (known: HelpCase | null, n: number) => {
  const asked = askHelp(ended, known, question(n))
  if (!asked.ok) throw new Error(asked.error.key)
  return asked.value
}
const answer = (known: HelpCase, n: number) =>
  answerHelp(known, { id: `a${n}`, by: 'admin', text: 'Found', at: NOON + n })

describe('help with a booking', () => {
  test('begins with its end and closes ninety days later', () => {
    expect(isHelpOpen(aBooking({ status: 'STARTED' }), NOON)).toBe(false)
    expect(isHelpOpen(ended, NOON)).toBe(true)
    expect(isHelpOpen(ended, NOON + 90 * DAY_MS - 1)).toBe(true)
    expect(isHelpOpen(ended, NOON + 90 * DAY_MS)).toBe(false)
    expect(isHelpOpen(aBooking({ status: 'CANCELLED', cancelled_at: NOON }), NOON)).toBe(true)
    const late = askHelp(ended, null, { ...question(1), at: NOON + 91 * DAY_MS })
    expect(late).toMatchObject({ ok: false, error: { key: 'event_not_possible' } })
  })

  test('waits from the oldest question without an answer', () => {
    const asked = ask(ask(null, 1), 2)
    expect(asked).toMatchObject({ due: NOON + 1, revision: 2, customer: ended.customer })
    const answered = answer(asked, 3)
    expect(answered.due).toBeUndefined()
    expect(ask(answered, 4)).toMatchObject({ due: NOON + 4, revision: 4 })
  })

  test('takes five questions before an answer, and again five after it', () => {
    let known = ask(null, 1)
    for (const n of [2, 3, 4, 5]) known = ask(known, n)
    expect(askHelp(ended, known, question(6))).toMatchObject({ error: { key: 'help_waits' } })
    expect(ask(answer(known, 6), 7).messages).toHaveLength(7)
  })

  test('ends with thirty messages', () => {
    let known = answer(ask(null, 0), 1)
    for (let n = 2; n < 30; n += 2) known = answer(ask(known, n), n + 1)
    expect(known.messages).toHaveLength(30)
    expect(askHelp(ended, known, question(31))).toMatchObject({ error: { key: 'help_waits' } })
  })

  test('knows a question that a repeated request sent', () => {
    const known = ask(null, 1)
    expect(findHelpRepeat(known, 'q1')).toBe(known)
    expect(findHelpRepeat(known, 'q2')).toBeUndefined()
    expect(findHelpRepeat(null, 'q1')).toBeUndefined()
  })
})
