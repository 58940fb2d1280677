// Why: builds every part whose sources changed, as `npm start` does, without starting anything. `npm run build`
import { buildChanged } from './build'
import { runToEnd } from './runToEnd'

await runToEnd(async () => {
  await buildChanged((line) => console.log(line))
  return 0
})
