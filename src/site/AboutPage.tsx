export const AboutPage = () => <p>AboutPage</p>
