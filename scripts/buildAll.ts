// Builds every part whose sources changed, as `npm start` does, without starting anything. `npm run
// build`
import { buildChanged } from './build'
import { runScript } from './scriptRunner'

await runScript(async () => {
  await buildChanged((line) => console.log(line))
  return 0
})
