/** The element beside the form that takes the map where the screen is wide. */
export const BESIDE_FORM = 'beside-form'
/** From here on there is something beside the form; the style sheets say the same. */
export const WIDE = '(min-width: 900px)'
