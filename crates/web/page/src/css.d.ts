/** Lets the bundler's import of a style sheet pass the type checker. */
declare module '*.css';
