import { escapeHtml } from '../htmlEscaping'

/** One picture, or one layout check at an extreme size without a picture. */
export interface Screenshot {
  name: string
  size: string
  theme: string
  language: string
  /** File name next to the sheet; null for a layout check without a picture. */
  file: string | null
  faults: string[]
}

const getVariant = ({ size, theme, language }: Screenshot) => `${language} · ${size} · ${theme}`

const renderFigure = (shot: Screenshot): string => {
  const faults = shot.faults.map((fault) => `<li>${escapeHtml(fault)}</li>`).join('')
  const picture = shot.file
    ? `<a href="${shot.file}"><img src="${shot.file}" loading="lazy" alt="${escapeHtml(shot.name)}"></a>`
    : ''
  return `<figure data-size="${shot.size}"${faults && ' class="faulty"'}>${picture}<figcaption>${getVariant(shot)}${faults && `<ul>${faults}</ul>`}</figcaption></figure>`
}

/** Returns the contact sheet: a row for each screen, a picture for each variant, and its faults. */
export const renderContactSheet = (shots: readonly Screenshot[], at: number): string => {
  const names = [...new Set(shots.map(({ name }) => name))]
  const isListed = (shot: Screenshot) => shot.file !== null || shot.faults.length > 0
  const wrong = shots.filter(({ faults }) => faults.length > 0)
  const rows = names
    .map((name) => {
      const own = shots.filter((shot) => shot.name === name && isListed(shot))
      return `<section id="${name}"><h2><a href="#${name}">${name}</a></h2><div>${own.map(renderFigure).join('')}</div></section>`
    })
    .join('\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Kerbside: every screen</title>
<style>
  body { margin: 0 1rem 4rem; background: #ddd; color: #111; font: 14px/1.4 system-ui, sans-serif }
  h2 { position: sticky; top: 0; margin: 2rem 0 .5rem; padding: .25rem 0; background: #ddd; font-size: 1rem }
  a { color: inherit }
  section > div { display: flex; gap: 1rem; overflow-x: auto; align-items: flex-start }
  figure { flex: none; margin: 0; max-width: 26rem }
  figure img { display: block; height: 24rem; max-width: 26rem; object-fit: cover; object-position: top; box-shadow: 0 1px 6px #0004 }
  figcaption { padding-top: .25rem }
  .faulty figcaption { color: #a00 }
  .faulty img { outline: 3px solid #a00 }
  ul { margin: 0; padding-inline-start: 1.2rem; max-width: 24rem }
</style>
<h1>Kerbside: every screen</h1>
<p>${new Date(at).toISOString()}: ${shots.filter(({ file }) => file).length} pictures of ${names.length} screens, ${wrong.length} with faults.
${wrong.length > 0 ? `<a href="#${wrong[0]?.name ?? ''}">The first</a>.` : ''}</p>
${rows}
</html>
`
}
