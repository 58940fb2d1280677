// Plays the comparison of dispatch modes outside the page's thread, which it would block.
import { compareInModelCity, type ModelTask } from '~/domain/replay/modelCity'
import type { ReplayMessage } from './replayMessages'

const send = (message: ReplayMessage) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ModelTask>) => {
  try {
    const comparison = compareInModelCity(data, (share) => send({ type: 'progress', share }))
    send({ type: 'done', comparison })
  } catch {
    send({ type: 'failed' })
  }
})
