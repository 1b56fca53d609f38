// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Misbehaviour} from "./Misbehaviour.sol";

/// A token of 18 decimals that is honest until anyone sets an act of `Misbehaviour` for one of its functions.
contract HostileToken is ERC20 {
    mapping(bytes4 selector => uint8 act) public acts;
    /// burned share of every transfer, ten-thousandths
    uint256 public feeBps;
    /// reported share of the true balance, percent
    uint256 public scale = 100;

    constructor() ERC20("Hostile Token", "HOST") {
        _mint(msg.sender, 1_000_000 ether);
    }

    modifier hostile() {
        Misbehaviour.perform(acts[msg.sig]);
        _;
    }

    function setAct(bytes4 selector, uint8 act) external {
        acts[selector] = act;
    }

    function setFee(uint256 bps) external {
        feeBps = bps;
    }

    function setScale(uint256 percent) external {
        scale = percent;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function name() public view override hostile returns (string memory) {
        return super.name();
    }

    function symbol() public view override hostile returns (string memory) {
        return super.symbol();
    }

    function decimals() public view override hostile returns (uint8) {
        return super.decimals();
    }

    function balanceOf(address account) public view override hostile returns (uint256) {
        return (super.balanceOf(account) * scale) / 100;
    }

    function allowance(address owner, address spender) public view override hostile returns (uint256) {
        return super.allowance(owner, spender);
    }

    function transfer(address to, uint256 amount) public override hostile returns (bool) {
        return super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override hostile returns (bool) {
        return super.transferFrom(from, to, amount);
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 fee = (amount * feeBps) / 10_000;
        super._transfer(from, to, amount - fee);
        if (fee > 0) _burn(from, fee);
    }
}
