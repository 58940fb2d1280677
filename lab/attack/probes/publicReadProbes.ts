import { createProbes } from './probe'

/** Characters of JSON that one request of a visitor may read. Every byte costs the operator. */
const MAX_PUBLIC_CHARACTERS = 100_000

export const publicReadProbes = createProbes('public reads', {
  'a visitor reads no list that is large': async (scene) => {
    const large: string[] = []
    for (const path of ['languages', 'settings', 'cartypes', 'cancel_reason']) {
      const { status, body } = await scene.rest(null, 'GET', path)
      const { length } = JSON.stringify(body)
      if (status === 200 && length > MAX_PUBLIC_CHARACTERS) large.push(`${path} has ${length}`)
    }
    return large.length > 0 ? large.join(', ') : undefined
  },
})
