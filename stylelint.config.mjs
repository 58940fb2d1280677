/**
 * Refuses sizes, weights, radii, levels, shadows, colors and widths that are no token of
 * src/ui/base.css.
 */
const token = (name) => `/^var\\(--${name}[a-z-]*\\)$/`
const RADIUS = String.raw`(var\(--radius[a-z-]*\)|50%|0)`
const WIDTHS = [
  '29.99rem',
  '30rem',
  '39.99rem',
  '40rem',
  '56.24rem',
  '56.25rem',
  '68.74rem',
  '68.75rem',
]

/** @type {import('stylelint').Config} */
export default {
  reportNeedlessDisables: true,
  reportDescriptionlessDisables: true,
  rules: {
    'declaration-property-value-allowed-list': {
      // An amount or a label may also shrink with the screen.
      'font-size': [token('text-'), '/^min\\(var\\(--text-[a-z]+\\), [^)]+\\)$/', 'inherit'],
      'font-weight': ['400', '500', '600', '700', 'inherit'],
      '/^border-.*radius$/': [`/^${RADIUS}( ${RADIUS}){0,3}$/`, 'inherit'],
      'z-index': [token('z-'), 'auto'],
      // Rings and marks at an edge are no elevation.
      'box-shadow': [token('shadow'), '/^inset /', '/^0 0 0 /', 'none'],
    },
    'media-feature-name-value-allowed-list': { '/^(min|max)-width$/': WIDTHS },
    'color-no-hex': true,
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla'],
    // The tints of base.css. A tone that a component chooses has no tint of its own.
    'declaration-property-value-disallowed-list': {
      '/./': String.raw`/color-mix\(in \w+, var\(--(primary|accent|danger|success|warning|news|ink)\) \d+%, var\(--surface\)\)/`,
    },
  },
  overrides: [
    {
      // The tokens, and the palette of the maps.
      files: ['src/ui/base.css', 'src/ui/map/map.css'],
      rules: {
        'color-no-hex': null,
        'function-disallowed-list': null,
        'declaration-property-value-disallowed-list': null,
      },
    },
    {
      // Paper has its own sizes and no theme.
      files: ['src/**/{Receipt,printTable}.module.css'],
      rules: { 'color-no-hex': null, 'declaration-property-value-allowed-list': null },
    },
  ],
}
