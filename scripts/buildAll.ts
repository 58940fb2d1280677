// Builds every part whose sources changed, as `npm start` does, without starting anything. `npm run
// build`
import { buildChanged } from './local/build'
import { runScript } from './local/scriptRunner'

await runScript(async () => {
  await buildChanged((line) => console.log(line))
  return 0
})
