import { useEffect, useState } from 'react'

interface Battery extends EventTarget {
  charging: boolean
  /** 0 to 1. */
  level: number
}
const LOW = 0.2

/** Whether the device asks to be spared. Not every browser tells; then it is not. */
export const useLowBattery = (): boolean => {
  const [low, setLow] = useState(false)
  useEffect(() => {
    let stop = () => {}
    let ended = false
    const { getBattery } = navigator as Navigator & { getBattery?: () => Promise<Battery> }
    getBattery?.call(navigator).then(
      (battery) => {
        if (ended) return
        const look = () => setLow(!battery.charging && battery.level <= LOW)
        look()
        const events = ['levelchange', 'chargingchange']
        for (const event of events) battery.addEventListener(event, look)
        stop = () => {
          for (const event of events) battery.removeEventListener(event, look)
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
