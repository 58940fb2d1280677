/**
 * True in `npm test -- --endurance`, which runs long tests at full length. `npm test` runs them
 * just long enough to reach every case.
 */
const isEndurance = process.env.KERBSIDE_ENDURANCE === '1'

/** Returns the length of a test: `short` in `npm test`, `full` in `npm test -- --endurance`. */
export const chooseLength = <T>(short: T, full: T): T => (isEndurance ? full : short)
