import './phone.css';

export { default } from 'vitepress/theme';
