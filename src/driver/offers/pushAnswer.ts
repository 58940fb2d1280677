import { useEffect, useState } from 'react'
import { type PushAnswer, takePushAnswer } from '~/src/store/pushExchange'

/** Returns the answer that the driver gave with a button of the request's notification, if any. */
export const usePushAnswer = (): PushAnswer | null => {
  const [pushResponse, setPushResponse] = useState<PushAnswer | null>(null)
  useEffect(() => {
    // The state survives a second run of this effect, which no longer finds the answer.
    void takePushAnswer(Date.now()).then(
      (response) => response && setPushResponse(response),
      () => undefined,
    )
  }, [])
  return pushResponse
}
