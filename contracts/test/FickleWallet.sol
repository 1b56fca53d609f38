// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Approvable {
    function approve(address spender, uint256 amount) external returns (bool);
}

/// EIP-1271 wallet that accepts every signature where it is simulated, and refuses it in the block that settles.
contract FickleWallet {
    bool private immutable byGasPrice;

    /// @param byGasPrice_ true: refuses in every transaction that pays for gas. False: a random number of each block
    /// decides, which no simulation knows before: half of the settlements that were simulated revert.
    constructor(bool byGasPrice_) {
        byGasPrice = byGasPrice_;
    }

    function approve(Approvable token, address spender) external {
        token.approve(spender, type(uint256).max);
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        bool refuses = byGasPrice ? tx.gasprice > 0 : block.prevrandao % 2 != 0;
        return refuses ? bytes4(0xffffffff) : this.isValidSignature.selector;
    }
}
