import { useEffect, useState } from 'react'

interface Battery extends EventTarget {
  charging: boolean
  /** Charge level from 0 to 1. */
  level: number
}
const LOW_BATTERY_LEVEL = 0.2

/**
 * Returns true when the battery is low and not charging; false in browsers that do not report it.
 */
export const useIsBatteryLow = (): boolean => {
  const [low, setLow] = useState(false)
  useEffect(() => {
    let stop = () => {}
    let ended = false
    const { getBattery } = navigator as Navigator & { getBattery?: () => Promise<Battery> }
    getBattery?.call(navigator).then(
      (battery) => {
        if (ended) return
        const update = () => setLow(!battery.charging && battery.level <= LOW_BATTERY_LEVEL)
        update()
        const events = ['levelchange', 'chargingchange']
        for (const event of events) battery.addEventListener(event, update)
        stop = () => {
          for (const event of events) battery.removeEventListener(event, update)
        }
      },
      () => undefined,
    )
    return () => {
      ended = true
      stop()
    }
  }, [])
  return low
}
