// Why: builds every part whose sources changed, as `npm start` does, without starting anything. `npm run build`
import { buildChanged } from './build'

try {
  await buildChanged((line) => console.log(line))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
