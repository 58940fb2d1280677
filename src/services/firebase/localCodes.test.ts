import { expect, it } from 'vitest'
import { sendPossibleCode } from './localCodes'

const sendCodes = async (codes: (string | null)[]) => {
  let sentCount = 0
  const id = await sendPossibleCode(
    async () => `verification ${(sentCount += 1)}`,
    async () => codes[sentCount - 1] ?? null,
  )
  return { id, sentCount }
}

it('sends another code in local mode until one is above 100000', async () => {
  expect(await sendCodes(['012345', '100000', '999999', '612345'])).toEqual({
    id: 'verification 4',
    sentCount: 4,
  })
})

it('sends one code where the page cannot read it', async () => {
  expect(await sendCodes([null])).toEqual({ id: 'verification 1', sentCount: 1 })
})
